"""The config file: what counts, and one sentence for each thing that does not."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from floppy_tui.store.settings import BadToday, Settings, config_path, load_settings, today


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


def test_an_absent_file_sets_nothing(path: Path) -> None:
    assert load_settings(path) == (Settings(), ())
    assert not path.exists()


def test_every_setting_counts(path: Path) -> None:
    path.write_text(
        'theme = "nord"\ndefault_view = "archive"\neditor = "vim -R"\npolling = true\n'
        'encoding = "o200k_base"\nascii = true\n[keymap]\nquit = "ctrl+q"\n'
    )
    settings, warnings = load_settings(path)
    assert warnings == ()
    assert settings.effective() == {
        "theme": "nord",
        "keymap": {"quit": "ctrl+q"},
        "default_view": "archive",
        "editor": "vim -R",
        "polling": True,
        "encoding": "o200k_base",
        "ascii": True,
    }


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("colour = 1", "there is no setting 'colour'; there are theme, keymap, default_view,"),
        ("theme = 3", "'theme' must be a text in quotes, not 3"),
        ('polling = "yes"', "'polling' must be true or false, not 'yes'"),
        ("ascii = 1", "'ascii' must be true or false, not 1"),
        (
            'default_view = "mail"',
            "'default_view' must be one of memory, archive, offload, notes,",
        ),
        ('keymap = "q"', "'keymap' must be a table"),
        ("[keymap]\nquit = 1", "'keymap' must be a table"),
        ("theme = ", "is not read, because it is no TOML"),
    ],
)
def test_what_is_wrong_is_said_and_the_rest_counts(path: Path, said: str, sentence: str) -> None:
    path.write_text(f'editor = "nano"\n{said}\n')
    settings, (warning,) = load_settings(path)
    assert sentence in warning
    assert str(path) in warning
    assert settings == Settings(editor="" if "no TOML" in sentence else "nano")


def test_what_is_no_text_or_no_file_is_said(path: Path) -> None:
    path.write_bytes(b"theme = '\xff'")
    assert "no TOML" in load_settings(path)[1][0]
    path.unlink()
    path.mkdir()
    assert "is a directory" in load_settings(path)[1][0]


def test_a_linked_config_file_is_read(path: Path) -> None:
    path.with_name("dotfile").write_text('theme = "nord"\n')
    path.symlink_to("dotfile")
    assert load_settings(path)[0].theme == "nord"


def test_where_it_lies(clean_environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", "/x")
    assert config_path({}) == Path("/x/floppy-tui/config.toml")
    assert config_path({"FLOPPY_CONFIG": "/c.toml"}) == Path("/c.toml")


@pytest.mark.parametrize(
    ("editor", "env", "words"),
    [
        ("code -w", {"VISUAL": "vim"}, ["code", "-w"]),
        ("", {"VISUAL": "'my editor' -x", "EDITOR": "nano"}, ["my editor", "-x"]),
        ("", {"VISUAL": "", "EDITOR": "nano"}, ["nano"]),
        ("'open", {"EDITOR": "nano"}, ["nano"]),
        ("", {}, ["vi"]),
    ],
)
def test_the_editor(editor: str, env: dict[str, str], words: list[str]) -> None:
    assert Settings(editor=editor).editor_words(env) == words


def test_today_is_what_it_is_said_to_be() -> None:
    assert today({"FLOPPY_TODAY": "2026-02-28"}) == date(2026, 2, 28)
    assert abs((today({}) - date.today()).days) <= 1


@pytest.mark.parametrize("said", ["", "2026-02-30", "2026-2-3", "today", "2026-10-01\n"])
def test_a_today_that_is_no_date_is_an_error(said: str) -> None:
    with pytest.raises(BadToday) as caught:
        today({"FLOPPY_TODAY": said})
    assert "FLOPPY_TODAY" in str(caught.value)
    assert "\n" not in str(caught.value)
