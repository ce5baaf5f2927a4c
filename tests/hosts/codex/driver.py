#!/usr/bin/env python3
"""Plays every scenario to a real Codex with our binary installed, and prints what came of it.

usage: driver.py --codex PATH --continuity PATH --out DIR [--expected DIR] [--receipts DIR]
                 [--only NAME ...]

Needs Linux or macOS, Python 3.10 or later and Git. Reaches no network. Texts of ours that a model
was sent are left in DIR/actual, one file each, to be read by a person before they are expected.
"""

import argparse
import pathlib
import sys
import traceback

sys.dont_write_bytecode = True

import receipts
from expected_text import ExpectedTexts
from play import Play, baseline_of
from scenarios import SCENARIOS
from world import FOREIGN_HOOKS, World

HERE = pathlib.Path(__file__).resolve().parent


class Tally:
    """Prints one line a check and counts."""

    def __init__(self):
        self.passed = 0
        self.failed = 0

    def add(self, scenario, check, wrong):
        """Takes in one check; nothing wrong means passed."""
        if wrong:
            self.failed += 1
            print("FAIL  %s: %s: %s" % (scenario, check, wrong), flush=True)
        else:
            self.passed += 1
            print("PASS  %s: %s" % (scenario, check), flush=True)


def install(world):
    """Installs our hooks, and trusts them as a user does. Yields (check, what is wrong)."""
    folder = world.workspace("install")
    result = world.continuity(folder, "install", "codex", "--yes")
    yield "install succeeds", "" if result.returncode == 0 else result.stderr.strip()
    first = world.hook_file.read_bytes()
    result = world.continuity(folder, "install", "codex", "--yes")
    again = world.hook_file.read_bytes()
    yield "a second install changes nothing", "" if first == again else "hooks.json differs"
    before = world.hooks(folder)
    ours = [hook for hook in before if " hook codex " in hook.get("command", "")]
    world.our_display_orders = {hook["displayOrder"] for hook in ours}
    names = sorted(hook["eventName"] for hook in ours)
    wanted = sorted(("sessionStart", "userPromptSubmit", "preCompact", "postCompact", "stop",
                     "subagentStart", "subagentStop", "sessionEnd"))
    yield "Codex lists our hooks", "" if names == wanted else "listed %s" % names
    trusted = world.trust_hooks(folder)
    states = {hook["trustStatus"] for hook in trusted}
    yield "the user trusts them once", "" if states == {"trusted"} else "states %s" % states


def uninstall(world):
    """Takes our hooks out again. Yields (check, what is wrong)."""
    kept = sorted(path.relative_to(world.data_root) for path in world.data_root.rglob("*"))
    result = world.continuity(world.folder, "uninstall", "codex", "--yes")
    yield "uninstall succeeds", "" if result.returncode == 0 else result.stderr.strip()
    left = world.hook_file.read_text() if world.hook_file.exists() else None
    yield "uninstall leaves what was there", "" if left == FOREIGN_HOOKS else "left %r" % left
    now = sorted(path.relative_to(world.data_root) for path in world.data_root.rglob("*"))
    yield "uninstall keeps the ledgers", "" if kept and kept == now else "the data root differs"


def play(world, scenario, expected, baseline, out):
    """Plays one scenario; an exception is a failed check, not the end of the run."""
    playing = Play(world, scenario, expected, baseline)
    try:
        playing.run()
    except Exception:  # a broken run must not hide the runs behind it
        playing.results.append(("runs to its end", traceback.format_exc(limit=4)))
    for number, (place, text) in enumerate(playing.actual, 1):
        path = out / "actual" / ("%s-%02d.txt" % (scenario.name, number))
        path.parent.mkdir(exist_ok=True)
        path.write_text(text + "\n", encoding="utf-8")
    return playing


def main():
    """Runs everything; the exit code is 0 only if every check passed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--codex", required=True)
    parser.add_argument("--continuity", required=True)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--expected", default=HERE / "expected", type=pathlib.Path)
    parser.add_argument("--receipts", type=pathlib.Path)
    parser.add_argument("--only", nargs="*", default=())
    arguments = parser.parse_args()
    tally = Tally()
    world = World(arguments.codex, arguments.continuity, arguments.out)
    try:
        baseline = baseline_of(world)
        for check, wrong in install(world):
            tally.add("install", check, wrong)
        expected = ExpectedTexts(arguments.expected)
        for scenario in SCENARIOS:
            if arguments.only and scenario.name not in arguments.only:
                continue
            playing = play(world, scenario, expected, baseline, world.folder)
            for check, wrong in playing.results:
                tally.add(scenario.name, check, wrong)
            if arguments.receipts:
                receipts.write(arguments.receipts, world, playing)
        for check, wrong in uninstall(world):
            tally.add("uninstall", check, wrong)
    finally:
        world.close()
    print("%d passed, %d failed" % (tally.passed, tally.failed))
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
