"""Note trees that the demo lays out, read from their files without a disk, and their findings repaired."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from floppy_tui.demo.note_tree import CONFIG, HEAT
from floppy_tui.notes.lint import lint
from floppy_tui.notes.profiles import MEMORY_DIR, Profile, read_config
from floppy_tui.notes.repairs import repair
from floppy_tui.notes.tree import Tree, build_tree
from floppy_tui.text.lines import decode


def read(found: Mapping[str, bytes], today: date) -> Tree:
    """The note tree among the files ``found`` of a repository, by their paths below its root."""
    top = f"{MEMORY_DIR}/"
    below = {path.removeprefix(top): decode(data) for path, data in found.items() if path.startswith(top)}
    heat = decode(found.get(HEAT, b""))
    return build_tree(below, Profile.FLOPPY, read_config(decode(found[CONFIG])), today, heat=heat)


def repaired(tree: Tree) -> tuple[Tree, int]:
    """The tree after every repair that lint offers, one after the other, and how many those were."""
    count = 0
    while offered := [finding for finding in lint(tree) if finding.repair]:
        texts = dict(tree.texts)
        for path, edit in repair(tree, offered[0]).edits.items():
            assert texts.pop(path, None) == edit.before
            if edit.after is not None:
                texts[path] = edit.after
        tree = build_tree(texts, tree.profile, tree.config, tree.today, before=tree)
        count += 1
        assert count < 100, offered[0]
    return tree, count
