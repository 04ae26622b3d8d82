# SPDX-License-Identifier: BSD-3-Clause
"""Sizes: functions, files, lines, asserts, comments and virtual functions of contracts."""

import re

from source import Finding

FUNCTION_LINES = 70
COMPLEXITY = 15
PARAMETERS = 6
FILE_LINES = 800
LINE_WIDTH = 100
ASSERTS_PER_1000 = 10
ASSERTS_MATTER_FROM = 100  # A folder with fewer lines of code is not judged by a rate.
# preload/ has no SHEAF_ASSERT and must not end other people's programs; contracts/ is interfaces.
ASSERTS_NOT_FROM = ("preload", "contracts")
CONTRACT_COMMENT_SHARE = 0.25
CONTRACT_VIRTUALS = 8
CONTRACTS = ("fs", "fbtl", "fcoll", "sharedfp", "lock")
ASSERT = r"\b(?:SHEAF_ASSERT|static_assert|_Static_assert|assert)\s*\("


def functions(tree):
    """Length, cyclomatic complexity and parameters of every function, measured by lizard."""
    import lizard
    for file in tree.files.values():
        if not (file.is_c_family or file.suffix == ".py"):
            continue
        # lizard takes the C-family language from the name, and .h for C++ too.
        for function in lizard.analyze_file.analyze_source_code(file.path, file.text).function_list:
            measured = (
                ("lines", function.end_line - function.start_line + 1, FUNCTION_LINES),
                ("complexity", function.cyclomatic_complexity, COMPLEXITY),
                ("parameters", len(function.parameters), PARAMETERS))
            for what, value, limit in measured:
                if value > limit:
                    yield Finding(file.path, function.start_line,
                                  f"{function.name}: {what} {value}, limit {limit}",
                                  f"{what}:{file.path}:{function.name}", value)


def files(tree):
    for file in tree.files.values():
        if len(file.lines) > FILE_LINES:
            yield Finding(file.path, 0, f"{len(file.lines)} lines, limit {FILE_LINES}",
                          f"file-lines:{file.path}", len(file.lines))
        wide = [number for number, line in enumerate(file.lines, 1) if len(line) > LINE_WIDTH]
        if wide:
            yield Finding(file.path, wide[0], f"{len(wide)} lines wider than {LINE_WIDTH} columns",
                          f"width:{file.path}", len(wide))


def src_folder(path):
    """base, platform, ... of a path below src, None for files directly in src."""
    parts = path.split("/")
    return parts[1] if parts[0] == "src" and len(parts) > 2 else None


def asserts(tree):
    """Asserts per 1000 lines of code (neither blank nor comment), for each folder of src."""
    lines, found = {}, {}
    for file in tree.c_family("src"):
        folder = src_folder(file.path)
        if folder in ASSERTS_NOT_FROM:
            continue
        code = sum(1 for line in file.scrubbed.splitlines() if line.strip())
        lines[folder] = lines.get(folder, 0) + code
        found[folder] = found.get(folder, 0) + sum(1 for _ in file.matches(ASSERT))
    for folder, count in lines.items():
        rate = 1000 * found[folder] / count if count else 0
        if folder and count >= ASSERTS_MATTER_FROM and rate < ASSERTS_PER_1000:
            yield Finding(f"src/{folder}", 0, f"{rate:.1f} asserts per 1000 lines of code "
                          f"({found[folder]} in {count}), at least {ASSERTS_PER_1000}",
                          f"asserts:src/{folder}", -rate)


def _comment_share(file):
    code_lines = file.scrubbed.splitlines()
    written = [(line, code) for line, code in zip(file.lines, code_lines) if line.strip()]
    return sum(1 for _, code in written if not code.strip()) / len(written) if written else 1.0


def _class_bodies(scrubbed):
    """(name, body without nested braces' contents) of every class and struct."""
    for match in re.finditer(r"\b(?:class|struct)\s+(\w+)[^;{()]*\{", scrubbed):
        depth, at = 1, match.end()
        body = []
        while at < len(scrubbed) and depth:
            letter = scrubbed[at]
            depth += (letter == "{") - (letter == "}")
            if depth == 1:
                body.append(letter)
            at += 1
        yield match.group(1), "".join(body)


def contracts(tree):
    for name in CONTRACTS:
        file = tree.files.get(f"src/contracts/{name}.h")
        if not file:
            continue
        share = _comment_share(file)
        if share < CONTRACT_COMMENT_SHARE:
            yield Finding(file.path, 0, f"{share:.0%} of the lines are comment, at least "
                          f"{CONTRACT_COMMENT_SHARE:.0%}", f"comments:{file.path}", -share)
        for class_name, body in _class_bodies(file.scrubbed):
            virtuals = len(re.findall(r"\bvirtual\b(?!\s*~)", body))
            if virtuals > CONTRACT_VIRTUALS:
                text = f"{class_name}: {virtuals} virtual functions, limit {CONTRACT_VIRTUALS}"
                yield Finding(file.path, 0, text, f"virtuals:{file.path}:{class_name}", virtuals)


CHECKS = (functions, files, asserts, contracts)
