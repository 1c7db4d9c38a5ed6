"""What the always-loaded memory costs: estimated tokens, the allowance, and the verdict."""

from __future__ import annotations

import re
from dataclasses import dataclass

ESTIMATOR = "ceil(UTF-8 bytes / 3) conservative-local-estimate"
_ALLOWANCE = re.compile(rb"[1-9][0-9]*")


def estimate(size: int) -> int:
    """Estimated tokens of ``size`` UTF-8 bytes: a third, rounded up (the scheme's conservative estimate)."""
    return -(-size // 3)


@dataclass(frozen=True, slots=True)
class Allowance:
    """The budget of a home: its decimal digits, or the named exception that stands in their place."""

    digits: str = ""
    exception: str = ""
    """Kebab-case name of what is wrong, ``""`` where nothing is."""
    message: str = ""
    """The same as a sentence: what, where, what to do."""

    def allows(self, total: int) -> bool:
        """Whether ``total`` estimated tokens are within it; False where there is no usable allowance."""
        if not self.digits:
            return False
        mine = str(total)
        return (len(mine), mine) <= (len(self.digits), self.digits)

    @property
    def tokens(self) -> int | None:
        """The allowance as a number; None where it is unusable or too long to be one (then it allows all)."""
        return int(self.digits) if self.digits and len(self.digits) <= 18 else None


def read_allowance(data: bytes) -> Allowance:
    """The allowance that the bytes of its file hold: one positive decimal integer and one newline."""
    if data.endswith(b"\n") and _ALLOWANCE.fullmatch(data[:-1]):
        return Allowance(digits=data[:-1].decode("ascii"))
    first = data.split(b"\n", 1)[0]
    if _ALLOWANCE.fullmatch(first):
        what = "no newline after its number" if b"\n" not in data else "extra bytes after its number"
        return Allowance(
            exception="allowance-extra-bytes" if b"\n" in data else "allowance-no-newline",
            message=f"config/startup-memory-budget has {what}; write one positive number and one newline.",
        )
    return Allowance(
        exception="allowance-not-a-positive-integer",
        message="config/startup-memory-budget does not hold one positive decimal number without sign or "
        "leading zero; write one.",
    )
