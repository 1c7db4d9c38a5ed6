"""What the captain set: the config file, read once and said plainly where it is wrong; and today's date."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, date, datetime
from pathlib import Path

from floppy_tui.store.files import Refusal, StoreError, read_regular, shown
from floppy_tui.text.dates import parse_date

VIEWS = ("memory", "archive", "offload", "notes", "fleet", "receipts")

_LIMIT = 1 << 20


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings in effect; each field is a key of the config file."""

    theme: str = "textual-dark"
    """The name of a Textual theme."""

    keymap: Mapping[str, str] = field(default_factory=dict)
    """Keys, comma-separated, by the id of the binding that they are to have."""

    default_view: str = "memory"
    """The view that opens first: one of ``VIEWS``."""

    editor: str = ""
    """The editor's command line; empty for ``$VISUAL``, ``$EDITOR`` or vi."""

    polling: bool = False
    """Whether to look for changes instead of being told: for network file systems."""

    encoding: str = ""
    """The tiktoken encoding to measure with; empty for the best at hand."""

    ascii: bool = False
    """Whether to draw with ASCII alone."""

    def effective(self) -> dict[str, object]:
        """The settings as plain values, for printing."""
        return asdict(self) | {"keymap": dict(self.keymap)}

    def editor_words(self, env: Mapping[str, str]) -> list[str]:
        """The editor's command as an argument list, for no shell; the file to edit goes behind it."""
        for said in (self.editor, env.get("VISUAL", ""), env.get("EDITOR", "")):
            try:
                words = shlex.split(said)
            except ValueError:
                continue
            if words:
                return words
        return ["vi"]


class BadToday(StoreError):
    """``FLOPPY_TODAY`` is set to what is no date."""

    def __init__(self, said: str) -> None:
        super().__init__(said)
        self.said = said

    def __str__(self) -> str:
        return f"FLOPPY_TODAY is {self.said!r}, which is no date YYYY-MM-DD; correct or unset it"


def today(env: Mapping[str, str]) -> date:
    """The local date, or the one that ``FLOPPY_TODAY`` says it is; raises ``BadToday``."""
    return _said(env) or date.today()


def today_utc(env: Mapping[str, str]) -> date:
    """The date in UTC, as the evidence of notes is dated, or the one of ``FLOPPY_TODAY``; like ``today``."""
    return _said(env) or datetime.now(UTC).date()


def _said(env: Mapping[str, str]) -> date | None:
    said = env.get("FLOPPY_TODAY")
    if said is None:
        return None
    day = parse_date(said)
    if day is None:
        raise BadToday(said)
    return day


def config_path(env: Mapping[str, str]) -> Path:
    """Where the config file lies: ``FLOPPY_CONFIG``, else in the user's config directory."""
    said = env.get("FLOPPY_CONFIG")
    if said:
        return Path(said)
    from platformdirs import user_config_path

    return user_config_path("floppy-tui") / "config.toml"


def load_settings(path: Path) -> tuple[Settings, tuple[str, ...]]:
    """The settings of the config file ``path`` and, in sentences, what in it does not count.

    An absent file sets nothing. A link to the file is followed: it is read, never written.
    """
    import tomllib

    try:
        data = read_regular(Path(os.path.realpath(path)), limit=_LIMIT)
    except Refusal as refusal:
        return Settings(), (str(refusal),)
    if data is None:
        return Settings(), ()
    try:
        said = tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        return Settings(), (f"{shown(path)} is not read, because it is no TOML: {error}",)
    kinds = {known.name: type(getattr(Settings(), known.name)) for known in fields(Settings)}
    taken: dict[str, object] = {}
    warnings = []
    for key, value in said.items():
        wrong = _wrong(key, value, kinds)
        if wrong:
            warnings.append(f"{shown(path)}: {wrong}")
        else:
            taken[key] = value
    return replace(Settings(), **taken), tuple(warnings)  # type: ignore[arg-type]


def _wrong(key: str, value: object, kinds: Mapping[str, type]) -> str:
    """What is wrong with a setting, or nothing."""
    kind = kinds.get(key)
    if kind is None:
        return f"there is no setting {key!r}; there are {', '.join(kinds)}"
    if kind is dict:
        sound = isinstance(value, dict) and all(isinstance(keys, str) for keys in value.values())
        return "" if sound else f"{key!r} must be a table of binding ids and their keys as text"
    if not isinstance(value, kind):
        return f"{key!r} must be {'true or false' if kind is bool else 'a text in quotes'}, not {value!r}"
    if key == "default_view" and value not in VIEWS:
        return f"{key!r} must be one of {', '.join(VIEWS)}, not {value!r}"
    return ""
