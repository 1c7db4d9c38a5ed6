"""The measured ratios, collected and printed as one table."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from bench.ratios import Ratio

RATIOS = pytest.StashKey[list[Ratio]]()


@pytest.fixture
def hold(request: pytest.FixtureRequest) -> Callable[[Ratio], None]:
    """Put a ratio into the table and fail where it is over its limit."""

    def check(ratio: Ratio) -> None:
        request.config.stash.setdefault(RATIOS, []).append(ratio)
        assert ratio.ratio <= ratio.limit, ratio.line

    return check


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the table."""
    ratios = config.stash.get(RATIOS, [])
    if not ratios:
        return
    terminalreporter.section("measured ratios")
    terminalreporter.write_line(f"{'':44} {'ours':>12} {'theirs':>12} {'ratio':>6}")
    for ratio in ratios:
        terminalreporter.write_line(ratio.line)
