"""The tiers' colours and that of faint text, so that each can be read on all of a theme's grounds."""

from __future__ import annotations

from functools import cache

from textual.color import Color
from textual.theme import Theme

from floppy_tui.tiers.markers import Tier

CONTRAST = 4.5
"""What WCAG asks of text (level AA)."""
GROUNDS = ("background", "surface", "panel")
"""What text of a tier's colour may stand on."""
_HUES = {
    Tier.PINNED: "#7aa2ff",
    Tier.AGING: "#5fbf6a",
    Tier.PERISHABLE: "#e0a030",
    Tier.GRACE: "#d77ad0",
    Tier.UNMARKED: "#a0a0a0",
}
_ANSI = {
    Tier.PINNED: "ansi_blue",
    Tier.AGING: "ansi_green",
    Tier.PERISHABLE: "ansi_yellow",
    Tier.GRACE: "ansi_magenta",
    Tier.UNMARKED: "ansi_default",
}
_FAINT = 0.35
"""How far faint text goes from the foreground towards the background, where that leaves it readable."""
_STEPS = 50


@cache
def luminance(red: int, green: int, blue: int) -> float:
    """Relative luminance (0–1) of an sRGB colour, as WCAG 2 defines it."""
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (red / 255, green / 255, blue / 255)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: Color, other: Color) -> float:
    """The WCAG contrast ratio (1–21) of two opaque colours."""
    lighter, darker = sorted((luminance(*one.rgb), luminance(*other.rgb)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def readable_on(colour: Color, grounds: list[Color], dark: bool) -> Color:
    """``colour``, lightened (on dark grounds) or darkened until it reaches ``CONTRAST`` on all of them."""
    target = Color(255, 255, 255) if dark else Color(0, 0, 0)
    for step in range(_STEPS + 1):
        tried = colour.blend(target, step / _STEPS, alpha=1.0)
        if all(contrast(tried, ground) >= CONTRAST for ground in grounds):
            return tried
    return target


def grounds_of(variables: dict[str, str]) -> list[Color]:
    """The opaque grounds among a theme's variables."""
    background = Color.parse(variables["background"])
    return [background + Color.parse(variables[name]) for name in GROUNDS]


def tier_variables(theme: Theme, variables: dict[str, str] | None = None) -> dict[str, str]:
    """``tier-pinned`` and so on for ``theme``; ``variables`` are those it generates, if at hand."""
    if theme.ansi:
        return {f"tier-{tier}": name for tier, name in _ANSI.items()}
    grounds = grounds_of(variables or theme.to_color_system().generate())
    return {
        f"tier-{tier}": readable_on(Color.parse(hue), grounds, theme.dark).hex for tier, hue in _HUES.items()
    }


def faint_variables(variables: dict[str, str]) -> dict[str, str]:
    """``text-muted`` as one colour: Textual's own depends on the ground, and in content it is not faint."""
    foreground = Color.parse(variables["foreground"])
    if foreground.ansi is not None:
        return {}
    grounds = grounds_of(variables)
    faint = foreground.blend(grounds[0], _FAINT, alpha=1.0)
    dark = luminance(*foreground.rgb) > luminance(*grounds[0].rgb)
    return {"text-muted": readable_on(faint, grounds, dark).hex}
