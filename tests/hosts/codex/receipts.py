"""Writes what was seen in a scenario without prompts, ids, times of day or paths."""

import collections
import hashlib
import json


def write(folder, world, playing):
    """Writes `<scenario>.json`: versions, hook runs, checks by name, digests of texts of ours."""
    folder.mkdir(parents=True, exist_ok=True)
    outcomes = collections.Counter((run["eventName"], run["status"]) for run in playing.hook_runs)
    receipt = {
        "schema": "continuity-host-receipt/1",
        "host": world.codex_version(),
        "model": "scripted, on the loopback interface",
        "continuity": version_of(world),
        "continuity_sha256": hashlib.sha256(world.binary.read_bytes()).hexdigest(),
        "scenario": playing.scenario.name,
        "hook_order": [run["eventName"] for run in playing.hook_runs],
        "hook_runs": [{"event": event, "status": status, "count": count}
                      for (event, status), count in sorted(outcomes.items())],
        "hook_milliseconds_max": max((run.get("durationMs") or 0 for run in playing.hook_runs),
                                     default=0),
        "texts_of_ours": len(playing.actual),
        "checks": [{"check": check, "passed": not wrong} for check, wrong in playing.results],
    }
    path = folder / (playing.scenario.name + ".json")
    path.write_text(json.dumps(receipt, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def version_of(world):
    """Returns what our binary calls itself."""
    result = world.continuity_version()
    return result.stdout.strip() if result.returncode == 0 else "unknown"
