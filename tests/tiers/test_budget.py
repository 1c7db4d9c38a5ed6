"""The budget: the estimate by file, the allowance and its named exceptions, and who is over it."""

from __future__ import annotations

import pytest
from homes import HEADER, home
from hypothesis import given
from hypothesis import strategies as st

from floppy_tui.tiers.budget import Allowance, estimate, read_allowance
from floppy_tui.tiers.layout import SHARED_ALONE, Role
from floppy_tui.tiers.receipt import Receipt, as_json, as_markdown
from floppy_tui.tiers.stow import accept, plan


@given(st.integers(0, 10**12))
def test_a_third_of_the_bytes_rounded_up(size: int) -> None:
    assert estimate(size) * 3 - size in (0, 1, 2)


def test_the_total_is_the_sum_of_the_rounded_files() -> None:
    snapshot = home({"captain": b"a", "shared": b"b", "learnings": "é".encode()})
    assert [f.tokens for f in snapshot.files] == [1, 1, 1] and snapshot.total == 3
    assert snapshot.within_budget
    assert home({"captain": b"abc", "archive": "x" * 999}, allowance=1).within_budget
    assert not home({"captain": b"abcd"}, allowance=1).within_budget


USABLE = [b"1\n", b"7500\n", b"9" * 18 + b"\n", b"9" * 5000 + b"\n"]
UNUSABLE = [
    (b"", "allowance-not-a-positive-integer"),
    (b"\n", "allowance-not-a-positive-integer"),
    (b"0\n", "allowance-not-a-positive-integer"),
    (b"-5\n", "allowance-not-a-positive-integer"),
    (b"+5\n", "allowance-not-a-positive-integer"),
    (b"0750\n", "allowance-not-a-positive-integer"),
    (b"7_500\n", "allowance-not-a-positive-integer"),
    (b"7.5\n", "allowance-not-a-positive-integer"),
    (b" 75\n", "allowance-not-a-positive-integer"),
    ("７５\n".encode(), "allowance-not-a-positive-integer"),
    (b"75", "allowance-no-newline"),
    (b"75\r\n", "allowance-not-a-positive-integer"),
    (b"75\n\n", "allowance-extra-bytes"),
    (b"75\n# a note\n", "allowance-extra-bytes"),
]


@pytest.mark.parametrize("data", USABLE)
def test_one_positive_number_and_one_newline(data: bytes) -> None:
    allowance = read_allowance(data)
    assert allowance.digits == data[:-1].decode() and not allowance.exception and allowance.allows(1)


@pytest.mark.parametrize(("data", "name"), UNUSABLE)
def test_anything_else_is_a_named_exception(data: bytes, name: str) -> None:
    allowance = read_allowance(data)
    assert (allowance.exception, allowance.digits) == (name, "")
    assert allowance.message.startswith("config/startup-memory-budget") and allowance.message.endswith(".")
    assert not allowance.allows(0) and allowance.tokens is None


@given(st.integers(1, 10**40), st.integers(0, 10**40))
def test_numbers_of_any_length_compare_as_numbers(allowed: int, total: int) -> None:
    assert Allowance(str(allowed)).allows(total) is (total <= allowed)


def test_a_number_too_long_to_be_one_is_named_by_its_digits() -> None:
    digits = "9" * 5000
    planned = plan(home({"captain": "- Tea.\n"}, allowance=None))
    long = Receipt(plan(home({"captain": "- Tea.\n"}, allowance=10**30)), applied=True)
    assert as_json(long)["budget"] == str(10**30) and as_json(long)["reset_safe"]
    assert Allowance(digits).allows(10**100) and planned.shortfall == 0


def test_without_an_allowance_the_review_goes_on_and_ends_unsafe() -> None:
    planned = plan(home({"learnings": "- Gate.\n"}, allowance=None))
    assert [e.exception for e in planned.exceptions] == ["file-absent"]
    assert planned.undecided and not planned.within_budget and not planned.reset_safe
    receipt = as_json(Receipt(planned, applied=True))
    assert receipt["budget"] is None and receipt["decision"] is None
    assert "no usable allowance" in as_markdown(Receipt(planned, applied=True))


def test_a_secondmate_s_shared_file_alone_over_the_allowance() -> None:
    shared = (HEADER + "- " + "Ask. " * 60 + "\n").encode()
    files = {"shared": shared, "learnings": "- Gate. <!--a:2026-09-30-->\n"}
    snapshot = home(files, role=Role.SECONDMATE, allowance=50)
    planned = plan(snapshot)
    assert [e.exception for e in planned.exceptions] == [SHARED_ALONE]
    options = as_json(Receipt(planned, applied=True))["decision"]["options"]
    assert len(options) == 2 and "at the primary's level" in options[1]
    assert planned.floor >= snapshot.file("data/captain-shared.md").tokens
    primary = plan(home({"shared": shared}, allowance=50))
    assert primary.exceptions == ()
    assert "primary" not in as_json(Receipt(primary, applied=True))["decision"]["options"][1]


def test_after_is_measured_from_the_planned_bytes() -> None:
    snapshot = home({"captain": b"- Tea.\n", "learnings": b"- Gate. <!--g-->\n\n\n"})
    planned = plan(snapshot, accept(snapshot, [], ["headers", "legacy"]))
    assert planned.total == sum(estimate(len(t.encode())) for t in planned.texts.values())
    receipt = as_json(Receipt(planned, applied=True))
    assert receipt["before"]["total"] == snapshot.total and receipt["after"]["total"] == planned.total
    assert receipt["after"]["files"]["data/captain.md"] == planned.tokens("data/captain.md")
