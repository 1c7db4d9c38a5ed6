"""Text that tries to be markup, an escape or a live action, and how it is told that none of it was."""

from __future__ import annotations

import unicodedata

from view_pilot import Reader

PAYLOADS = (
    b"[/foo] closes nothing",
    b"[@click=app.quit]press me[/]",
    b"[bold red on blue]loud[/bold red on blue]",
    b"[link=http://evil.test]link[/link] $primary {now}",
    b"copy \x1b]52;c;ZXZpbA==\x07 and clear \x1b[2J\x1b[H",
    b"c1 \xc2\x9b31m and \xc2\x90payload\xc2\x9c",
    b"turned \xe2\x80\xaemoc.live\xe2\x80\xac and zero\xe2\x80\x8bwidth",
    b"lone \xed\xa0\x80 surrogate and \xff\xfe bytes",
    b"nul \x00 back\x08space bell\x07 del\x7f",
    b"tags \xf3\xa0\x81\x81\xf3\xa0\x81\x82 and bom \xef\xbb\xbf",
    b"[x](javascript:alert(1)) [y](http://evil.test/\xe2\x80\xae) ![z](file:///etc/passwd) &#27;[31m",
    b"<script>alert(1)</script> <!--x: [@click=app.bell]ring[/]-->",
    b"a `code [/foo]` | b [/foo] | \xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x92\xbb",
)
SEEN_SAFE = frozenset({"Cc", "Cs", "Zl", "Zp"})
INVISIBLE = frozenset(
    "\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
)


def safe(reader: Reader) -> None:
    """Nothing on the screen acts on the terminal, hides, or is a live action of untrusted text."""
    assert reader.app.is_running and reader.app._exception is None
    for strip in reader.app.screen._compositor.render_strips():
        for text, style, control in strip:
            assert not control
            assert all(unicodedata.category(c) not in SEEN_SAFE and c not in INVISIBLE for c in text), repr(
                text
            )
            text.encode("utf-8")
            if style is not None:
                assert "@click" not in style.meta, style.meta
                assert style.link is None
