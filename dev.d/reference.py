# SPDX-License-Identifier: BSD-3-Clause
"""Reference tables of the documentation, read from the tables in the sources."""

import re

import mpi as mpis

ROOT = mpis.ROOT
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
# What comes before a table that is made, and after it.
BEGIN = "<!-- made by ./dev docs from {source}: change it there -->"
END = "<!-- end -->"


def initialisers(text, type_):
    """The fields of each `type_{...}` in C++ text, as text."""
    for match in re.finditer(rf"\b{type_}\{{", text):
        fields, depth, start = [], 0, match.end()
        quoted = {i for literal in STRING.finditer(text, start)
                  for i in range(literal.start(), literal.end())}
        for at in range(start, len(text)):
            if at in quoted or text[at] not in "{},":
                continue
            if text[at] == "," and depth == 0:
                fields.append(text[start:at].strip())
                start = at + 1
            elif text[at] == "{":
                depth += 1
            elif text[at] == "}":
                depth -= 1
                if depth < 0:
                    fields.append(text[start:at].strip())
                    break
        yield fields


def literal(text):
    """The value of adjoining string literals."""
    return "".join(part.replace('\\"', '"') for part in STRING.findall(text))


def rows(header, lines):
    """A Markdown table."""
    cells = [header, ["---"] * len(header), *lines]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |"
                     for line in cells)


KINDS = {"boolean": "`true`, `false`", "switched": "`enable`, `disable`, `automatic`",
         "bytes": "bytes; `k`, `m`, `g` allowed", "count": "number", "word": "text"}
CHANGES = {"at_open": "open", "at_set_view": "open, set_view", "any_time": "any time"}


def hints():
    text = (ROOT / "src" / "hints" / "table.cpp").read_text()
    aliases = {name: STRING.findall(values) for name, values in
               re.findall(r"string_view, \d+> (\w+)\{([^}]*)\}", text)}
    lines = []
    for name, other, kind, default, changes, effect in initialisers(text, "HintRow"):
        names = ", ".join(f"`{alias}`" for alias in aliases.get(other, []))
        lines.append([f"`{literal(name)}`", names, KINDS[kind.split("::")[1]],
                      f"`{literal(default)}`", CHANGES[changes.split("::")[1]], literal(effect)])
    return rows(["hint", "other names", "value", "default", "may change at", "effect"], lines)


def environment():
    text = (ROOT / "src" / "platform" / "environment.cpp").read_text()
    lines = [[f"`{literal(name)}`", literal(accepted), literal(effect)]
             for name, accepted, effect in initialisers(text, "EnvironmentVariable")]
    return rows(["variable", "value", "effect"], lines)


def errors():
    """Classes in the order of Code, with its comment and the errno values that lead there."""
    status = (ROOT / "src" / "base" / "status.h").read_text()
    meaning = dict(re.findall(r"^    (\w+),\s+// (.+)$", status, re.MULTILINE))
    system = (ROOT / "src" / "platform" / "system_error.cpp").read_text()
    errnos = {}
    for name, code in re.findall(r"\{(E\w+), Code::(\w+)\}", system):
        errnos.setdefault(code, []).append(name)
    errnos["io"] = ["every other one"]
    table = (ROOT / "src" / "abi" / "error_map.cpp").read_text()
    lines = []
    for code, class_ in re.findall(r"\{Code::(\w+), \w+,\s+\"(\w+)\"\}", table):
        if code != "ok":
            lines.append([f"`{class_}`", meaning[code], ", ".join(errnos.get(code, []))])
    return rows(["class", "when", "errno values that lead to it"], lines)


TABLES = {
    "docs/guide/hints.md": ("src/hints/table.cpp", hints),
    "docs/guide/environment.md": ("src/platform/environment.cpp", environment),
    "docs/guide/errors.md": ("src/abi/error_map.cpp", errors),
}


def page(name):
    """The page as it should be: its own text around the table that is made."""
    source, make = TABLES[name]
    begin = BEGIN.format(source=source)
    before, found, rest = (ROOT / name).read_text().partition(begin)
    if not found or END not in rest:
        raise ValueError(f"{name}: lacks the lines '{begin}' and '{END}'")
    return f"{before}{begin}\n\n{make()}\n\n{END}{rest.partition(END)[2]}"
