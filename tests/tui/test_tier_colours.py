"""Tier colours can be read in every theme."""

from __future__ import annotations

import pytest
from textual.color import Color
from textual.theme import BUILTIN_THEMES

from floppy_tui.tiers.markers import Tier
from floppy_tui.tui.styles.tiers import CONTRAST, contrast, faint_variables, grounds_of, tier_variables

THEMES = [name for name, theme in BUILTIN_THEMES.items() if not theme.ansi]


def test_the_contrast_is_that_of_the_standard() -> None:
    black, white = Color(0, 0, 0), Color(255, 255, 255)
    assert contrast(black, white) == pytest.approx(21)
    assert contrast(Color.parse("#777777"), white) == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("name", THEMES)
def test_each_tier_is_readable_on_each_ground(name: str) -> None:
    theme = BUILTIN_THEMES[name]
    colours = tier_variables(theme)
    assert set(colours) == {f"tier-{tier}" for tier in Tier}
    for ground in grounds_of(theme.to_color_system().generate()):
        for colour in colours.values():
            assert contrast(Color.parse(colour), ground) >= CONTRAST


@pytest.mark.parametrize("name", THEMES)
def test_faint_text_is_readable_and_fainter_than_the_rest(name: str) -> None:
    variables = BUILTIN_THEMES[name].to_color_system().generate()
    faint = Color.parse(faint_variables(variables)["text-muted"])
    plain = Color.parse(variables["foreground"])
    grounds = grounds_of(variables)
    assert all(contrast(faint, ground) >= CONTRAST for ground in grounds)
    if all(contrast(plain, ground) > CONTRAST * 1.5 for ground in grounds):
        assert contrast(faint, grounds[0]) < contrast(plain, grounds[0]) * 0.9


@pytest.mark.parametrize("name", THEMES)
def test_tiers_differ_in_colour(name: str) -> None:
    assert len(set(tier_variables(BUILTIN_THEMES[name]).values())) == len(Tier)


def test_a_theme_of_the_terminals_own_colours_gives_them() -> None:
    assert tier_variables(BUILTIN_THEMES["ansi-dark"])["tier-aging"] == "ansi_green"
