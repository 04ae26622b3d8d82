# SPDX-License-Identifier: BSD-3-Clause
"""The source tree as tidy sees it: files, their text without comments or strings, findings."""

import re
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

C_FAMILY = (".c", ".cc", ".cpp", ".h", ".hpp")
CODE = (*C_FAMILY, ".S", ".py", ".sh", ".cmake", ".toml", ".f90", ".F90", ".map")

# Comments, string literals (raw ones first), character literals; digit separators are no quotes.
_NOT_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/'
    r'|R"(?P<raw>[^ ()\\\t\n]*)\(.*?\)(?P=raw)"'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'", re.DOTALL)


@dataclass(frozen=True)
class Finding:
    """Something wrong. With a key it can stand in the ratchet, where `value` must not get worse."""

    path: str
    line: int
    text: str
    key: str = ""
    value: float = 0

    def __str__(self):
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.text}"


def _blank(match):
    """Spaces of the same shape, so that lines and columns stay; a string keeps its quotes."""
    text = match.group(0)
    keep = '""' if text.endswith('"') and "\n" not in text else ""
    if keep:
        return '"' + " " * (len(text) - 2) + '"'
    return re.sub(r"[^\n]", " ", text)


def scrub(text):
    """C or C++ without comments and the contents of literals."""
    return _NOT_CODE.sub(_blank, text)


def strings(text):
    """(line, content) of the ordinary string literals outside comments."""
    for match in _NOT_CODE.finditer(text):
        word = match.group(0)
        if word.startswith('"'):
            yield text.count("\n", 0, match.start()) + 1, word[1:-1]


@dataclass(frozen=True)
class File:
    path: str  # From the root, with slashes.
    text: str

    @property
    def suffix(self):
        return Path(self.path).suffix

    @property
    def folder(self):
        return self.path.rpartition("/")[0]

    @property
    def is_c_family(self):
        return self.suffix in C_FAMILY

    @cached_property
    def lines(self):
        return self.text.splitlines()

    @cached_property
    def scrubbed(self):
        return scrub(self.text)

    def matches(self, pattern):
        """(line, match) of a pattern in the code of a C or C++ file."""
        for match in re.finditer(pattern, self.scrubbed, re.MULTILINE):
            yield self.scrubbed.count("\n", 0, match.start()) + 1, match

    def __hash__(self):
        return hash(self.path)


class Tree:
    """Files by path. Tests make one from a dict."""

    def __init__(self, texts, root=None):
        self.root = root
        self.files = {path: File(path, text) for path, text in sorted(texts.items())}

    def below(self, *folders):
        """The files below any of these folders."""
        return [file for path, file in self.files.items()
                if any(path.startswith(folder + "/") for folder in folders)]

    def c_family(self, *folders):
        return [file for file in self.below(*folders) if file.is_c_family]


def _is_code(path, root):
    if path.suffix in CODE or path.name == "CMakeLists.txt":
        return True
    if path.suffix:
        return False
    with open(root / path, "rb") as file:
        return file.read(2) == b"#!"


def read_tree(root):
    """All code that git tracks, and new files that it does not ignore."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=root,
                            capture_output=True, check=True, text=True).stdout.split("\0")
    paths = [Path(name) for name in listed if name and (root / name).is_file()]
    return Tree({path.as_posix(): (root / path).read_text(errors="replace")
                 for path in paths if _is_code(path, root)}, root)
