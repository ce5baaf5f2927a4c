"""Checks of the ledger at the end of a scenario, by name.

Each takes the scenario's `Play` and returns what is wrong, or nothing.
"""

import json


def values_of(value, key):
    """Returns every value that stands under `key`, however deep."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name == key:
                yield inner
            yield from values_of(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from values_of(inner, key)


def ledger_says(world, folder):
    """Returns what the ledger says now, for people and in full."""
    return {"view": world.continuity_json(folder, "view"),
            "log": world.continuity_json(folder, "log")}


def child_minted_nothing(play):
    """A prompt that a parent sent to its child is nobody's word in the ledger."""
    said = ledger_says(play.world, play.folder)
    if "push to main" not in json.dumps(said["view"]):
        return "the user's own constraint is not in the view"
    if "you may push" in json.dumps(said):
        return "the child's prompt is in the ledger"
    if "authorization" in values_of(said["view"], "kind"):
        return "an authorization is in the view"
    return ""


def child_was_compacted(play):
    """The scenario really had a compaction that was the child's alone."""
    names = [run["eventName"] for run in play.hook_runs]
    if "preCompact" not in names or "postCompact" not in names:
        return "no compaction was reported"
    if names.count("sessionStart") != 1:
        return "the parent was compacted too"
    return ""


def parent_epoch_is_untouched(play):
    """A child's compaction neither opens nor closes an epoch of the parent."""
    said = ledger_says(play.world, play.folder)
    before, after = play.noted["view"]["boundary"], said["view"]["boundary"]
    if before != after:
        return "boundary was %s, is %s" % (before, after)
    kinds = list(values_of(said["log"], "event"))
    if "child_started" not in kinds:
        return "the child's start is not in the log"
    if "transition_opened" in kinds:
        return "a boundary was opened"
    return ""


def ledger_verifies(play):
    """The ledger is whole, whatever was killed."""
    result = play.world.continuity(play.folder, "verify")
    return "" if result.returncode == 0 else "verify: %s" % result.stderr.strip()


def records(world):
    """Returns every file of the data root with its bytes."""
    return {path.relative_to(world.data_root): path.read_bytes()
            for path in world.data_root.rglob("*") if path.is_file()}


def difference(before, after):
    """Says which files are others."""
    changed = sorted(str(path) for path in before.keys() | after.keys()
                     if before.get(path) != after.get(path))
    return "changed: %s" % changed if changed else ""


def words_left(world, words):
    """Says where words are still kept."""
    left = [(word, str(path)) for path, content in records(world).items() for word in words
            if word.encode() in content]
    return "left: %s" % left if left else ""


def items_in_force(world, folder):
    """Returns kind, statement and status of every item in force."""
    view = world.continuity_json(folder, "view")
    return tuple((item["kind"], item["statement"], item["status"]) for item in view["items"])
