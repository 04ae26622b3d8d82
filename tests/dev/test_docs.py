# SPDX-License-Identifier: BSD-3-Clause
"""./dev docs finds broken links and reads the tables of the sources."""

import checks
import reference


def test_broken_links(tmp_path):
    (tmp_path / "there.md").write_text("")
    page = tmp_path / "page.md"
    text = "[a](there.md) [b](there.md#x) [c](gone.md) [d](https://x.org/y) [e](#here)"
    assert list(checks.broken_links(page, text)) == ["gone.md"]


def test_initialisers():
    text = 'constexpr Row a{"x, }", {}, Kind::b,\n "one " "two {"}; Row{1}'
    assert list(reference.initialisers(text, "Row")) == [["1"]]
    text = 'array{Row{"x, }", {}, Kind::b,\n "one " "two {"}, Row{1}}'
    first, second = reference.initialisers(text, "Row")
    assert first[:3] == ['"x, }"', "{}", "Kind::b"] and second == ["1"]
    assert reference.literal(first[3]) == "one two {"


def test_every_table_has_its_rows():
    assert "`cb_nodes`" in reference.hints() and "`SHEAF_OFF`" in reference.environment()
    assert "MPI_ERR_NO_SPACE" in reference.errors() and "ENOSPC" in reference.errors()
