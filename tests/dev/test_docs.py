# SPDX-License-Identifier: BSD-3-Clause
"""./dev docs finds broken links."""

import checks


def test_broken_links(tmp_path):
    (tmp_path / "there.md").write_text("")
    page = tmp_path / "page.md"
    text = "[a](there.md) [b](there.md#x) [c](gone.md) [d](https://x.org/y) [e](#here)"
    assert list(checks.broken_links(page, text)) == ["gone.md"]
