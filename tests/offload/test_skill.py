"""The text of a skill comes back as it was meant, whatever is in it, and a hostile one does no harm."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import repositories
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import memory_texts, prose

from floppy_tui.offload.skill import (
    MOST,
    exclude_line,
    read_front,
    skill_problem,
    with_line,
    without_line,
    write_skill,
)
from floppy_tui.text.lines import decode, encode

QUOTES = st.one_of(memory_texts(), st.binary(max_size=80).map(decode))
LINES = st.one_of(prose(), st.text(st.characters(exclude_categories=["Cs"]), max_size=60))


@given(st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,20}", fullmatch=True), LINES, QUOTES)
@example("123", '- when: it\'s "so" # not a comment', "quote")
@example("on", "yes", "---\nname: other\n---\n")
@example("1e3", "2026-10-01", "\n\n")
@example("null", "{a: [b", "a\r\nb\r\n")
@example("_", "when the tide 🌊 turns: größe\u2028next\u0085line\nand another\t", "\x00\ud8ff"[:1])
def test_a_skill_says_what_was_meant(name: str, description: str, quote: str) -> None:
    text = write_skill(name, description, quote)
    head, _, body = text.partition("\n---\n\n")
    assert len(head.split("\n")) == 3
    assert body in (quote, f"{quote}\n")
    assert encode(body).startswith(encode(quote))
    assert read_front(text) == {"name": name, "description": description}
    assert skill_problem(text, name, description, quote) == ""


def test_plain_words_stay_plain() -> None:
    assert write_skill("tides", "Use when the gauge reads above 4 m", "Close the gate.\nThen the mill.") == (
        "---\nname: tides\ndescription: Use when the gauge reads above 4 m\n---\n\n"
        "Close the gate.\nThen the mill.\n"
    )


def test_a_long_description_is_not_folded() -> None:
    description = "when " + "the gauge reads: high " * 80
    assert read_front(write_skill("a", description, "b"))["description"] == description
    assert write_skill("a", description, "b").count("\n") == 6


def test_an_undecodable_byte_of_the_description_is_replaced() -> None:
    text = write_skill("a", decode(b"caf\xe9"), decode(b"caf\xe9"))
    assert read_front(text)["description"] == "caf\ufffd"
    assert encode(text).endswith(b"\n\ncaf\xe9\n")
    assert skill_problem(text, "a", decode(b"caf\xe9"), decode(b"caf\xe9")) == ""


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        (("name: tides", "name: tide"), "name"),
        (("above", "below"), "description"),
        (("Close", "Open"), "body"),
        (("Close", " Close"), "body"),
        (("gate.", "gate.\n\nMore."), "body"),
        (("---\nname", "name"), "front matter"),
        (("\n---\n", "\n"), "closed"),
        (("name: tides", "name: [tides"), "YAML"),
    ],
)
def test_another_text_is_not_that_skill(changed: tuple[str, str], why: str) -> None:
    text = write_skill("tides", "when above", "Close the gate.").replace(*changed, 1)
    problem = skill_problem(text, "tides", "when above", "Close the gate.")
    assert why in problem
    assert problem.endswith(".")


@pytest.mark.parametrize(
    ("text", "front"),
    [
        ("", {}),
        ("# A note\n", {}),
        ("----\na: b\n---\n", {}),
        (" ---\na: b\n---\n", {}),
        ("---\n---\n", {}),
        ("---\n# only a comment\n---\n", {}),
        ("---\r\na: b\r\n---\r\n", {"a": "b"}),
        ("\ufeff---\na: b\n---", {"a": "b"}),
        ("---\na: b\n2: c\n---\nc: d\n---\n", {"a": "b"}),
    ],
)
def test_front_matter_is_what_stands_between_its_lines(text: str, front: dict[str, object]) -> None:
    assert read_front(text) == front


HOSTILE = {
    "never closed": "---\na: b\n",
    "a list": "---\n- a\n---\n",
    "a word": "---\na\n---\n",
    "deep": "---\na: " + "[" * 60_000 + "\n---\n",
    "deep blocks": "---\na: " + "- " * 20_000 + "\n---\n",
    "long": "---\na: " + "x" * 1_000_000 + "\n---\n",
    "laughs": "---\na: &a [x]\n"
    + "".join(f"b{n}: &b{n} [{'*a,' * 9}]\n" for n in range(3))
    + "c:\n  <<: *a\n---\n",
    "itself": "---\na: &a [*a]\n---\n",
    "a number": "---\na: " + "9" * 5000 + "\n---\n",
    "a day": "---\na: 2026-99-99\n---\n",
    "a float": "---\na: !!float x\n---\n",
    "an object": "---\na: !!python/object/apply:os.system ['true']\n---\n",
    "an unhashable key": "---\n? [a]\n: b\n---\n",
    "binary": "---\na: !!binary é\n---\n",
    "a control": "---\na: \x00\n---\n",
    "a stray byte": "---\na: \udcff\n---\n",
    "two documents": "---\na: b\n--- \nc: d\n---\n",
    "a tab": "---\na:\n\t- b\n---\n",
    "an escape": '---\na: "\\ud800"\n---\n',
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_front_matter_is_a_sentence(text: str) -> None:
    with pytest.raises(ValueError) as told:
        read_front(text)
    problem = str(told.value)
    assert problem.startswith("Its front matter")
    assert problem.endswith(".")
    assert problem.isprintable()
    assert len(problem) < 250


@given(st.one_of(memory_texts(), st.text(max_size=120)).map("---\n{}\n---\n".format))
def test_any_front_matter_is_read_or_told_of(text: str) -> None:
    try:
        assert all(isinstance(key, str) for key in read_front(text))
    except ValueError as problem:
        assert str(problem).startswith("Its front matter")


def test_a_front_matter_of_the_most_is_read() -> None:
    text = "---\na: " + "x" * (MOST - 4) + "\n---\n"
    assert len(str(read_front(text)["a"])) == MOST - 4
    with pytest.raises(ValueError, match="64 KiB"):
        read_front(text.replace("a: ", "a: x"))


@pytest.mark.parametrize("below", ["", "home", "a*b?[c]", "back\\slash", "!odd #name", "sp ace ", "ß\udcff"])
def test_git_ignores_the_skill_of_a_home_anywhere_in_its_repository(below: str, tmp_path: Path) -> None:
    root = repositories.init(tmp_path / "top")
    home = root / below if below else root
    home.mkdir(exist_ok=True)
    asked = subprocess.run(
        ["git", "-C", home, "rev-parse", "--show-prefix"], capture_output=True, check=True, timeout=30
    )
    prefix = decode(asked.stdout.removesuffix(b"\n"))
    exclude = root / ".git" / "info" / "exclude"
    exclude.parent.mkdir(exist_ok=True)
    exclude.write_bytes(with_line(b"# no line end", exclude_line(prefix, "tides")))
    for path, status in ((".agents/skills/tides/SKILL.md", 0), (".agents/skills/tide/SKILL.md", 1)):
        done = subprocess.run(["git", "-C", home, "check-ignore", "-q", path], check=False, timeout=30)
        assert done.returncode == status, path
    other = subprocess.run(
        ["git", "-C", root, "check-ignore", "-q", "x/.agents/skills/tides/SKILL.md"], check=False, timeout=30
    )
    assert other.returncode == 1


def test_a_prefix_with_a_line_end_is_refused() -> None:
    with pytest.raises(ValueError, match="line end"):
        exclude_line("a\nb/", "tides")


LINE = "/.agents/skills/tides/"
EXCLUDES = st.lists(
    st.sampled_from([b"# a comment", b"*.tmp", b"", b"/.agents/skills/tide/", b"\xff", b" x "]), max_size=4
).flatmap(lambda lines: st.sampled_from([b"\n".join(lines), b"\n".join([*lines, b""])]))


@given(EXCLUDES, EXCLUDES)
def test_a_line_goes_in_and_comes_out_whatever_was_written_since(before: bytes, since: bytes) -> None:
    after = with_line(before, LINE)
    assert after.startswith(before)
    assert after.split(b"\n").count(LINE.encode()) == 1
    assert with_line(after, LINE) == after
    assert without_line(after, before, LINE) == before
    assert without_line(after[:-1], before, LINE) == before
    later = without_line(after + since, before, LINE)
    ended = before if not before or before.endswith(b"\n") or not since else before + b"\n"
    assert later == ended + since
    above = since if not since or since.endswith(b"\n") else since + b"\n"
    assert without_line(above + after, before, LINE).split(b"\n").count(LINE.encode()) == 0
    assert without_line(above + after, before, LINE).rstrip(b"\n") == (above + before).rstrip(b"\n")


@pytest.mark.parametrize("there", [b"a\n%s\nb\n", b"%s\r\n", b"%s"])
def test_a_line_that_was_there_stays(there: bytes) -> None:
    before = there % LINE.encode()
    assert with_line(before, LINE) == before
    assert without_line(before, before, LINE) == before
    assert without_line(b"gone\n", b"", LINE) == b"gone\n"
