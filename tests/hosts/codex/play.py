"""Plays one scenario to real Codex and collects what is right and wrong."""

import re
import time

import checks
import scenarios
from scenarios import (BreakBinary, Clear, Compact, Fork, Gone, Holding, InForce, Keep, Note,
                       Rest, RestoreBinary, Restart, Same, Say)


class Play:
    """One scenario being played.

    `results` holds (check, what is wrong or nothing), `hook_runs` what the host reported about our
    hooks, `actual` (place, text of ours that the model was sent).
    """

    def __init__(self, world, scenario, expected, baseline):
        self.world = world
        self.scenario = scenario
        self.folder = world.workspace(scenario.name)
        self.results = []
        self.hook_runs = []
        self.noted = None
        self.actual = []
        self._expected = expected
        self._baseline = baseline
        self._server = None
        self._thread = None
        self._turns = 0

    def run(self):
        """Plays all steps, then checks what holds for the whole scenario."""
        self.world.model.rules = self.scenario.rules
        self._start(self.scenario.options)
        try:
            self._thread = self._new_thread("startup")
            for step in self.scenario.steps:
                self._step(step)
        finally:
            self._stop()
            self.world.restore_binary()
        self._check_whole()
        return self.results

    def _check(self, name, wrong):
        self.results.append((name, wrong))

    def _start(self, options):
        self._server = self.world.server(self.folder, *options)

    def _stop(self):
        code = self._server.close()
        self._check("Codex ends well", "" if code == 0 else "exit code %s" % code)
        self.hook_runs.extend(run for run in self._server.hook_runs()
                              if run["displayOrder"] in self.world.our_display_orders)

    def _new_thread(self, source):
        parameters = {"cwd": str(self.folder)}
        if source == "clear":
            parameters["sessionStartSource"] = "clear"
        return self._server.call("thread/start", parameters)["thread"]["id"]

    def _step(self, step):
        match step:
            case Say():
                self._say(step)
            case Compact():
                self._check_turn("compaction", self._server.compact(self._thread))
            case Restart():
                self._stop()
                self._start(step.options)
                self._server.call("thread/resume", {"threadId": self._thread})
            case Clear():
                self._thread = self._new_thread("clear")
            case Fork():
                forked = self._server.call("thread/fork", {"threadId": self._thread})
                self._thread = forked["thread"]["id"]
            case BreakBinary(script=None):
                self.world.binary.unlink()
            case BreakBinary():
                self.world.replace_binary(step.script)
            case RestoreBinary():
                self.world.restore_binary()
            case Note():
                self.noted = checks.ledger_says(self.world, self.folder)
            case Rest(seconds=seconds):
                time.sleep(seconds)
            case Keep():
                self.noted = checks.records(self.world)
            case Same():
                wrong = checks.difference(self.noted, checks.records(self.world))
                self._check("nothing is written", wrong)
            case Gone(words=words):
                self._check("no byte is left", checks.words_left(self.world, words))
            case InForce(items=items):
                found = checks.items_in_force(self.world, self.folder)
                self._check("in force: %s" % (items,), "" if found == items else "is %s" % (found,))

    def _check_turn(self, name, turn):
        status = turn.get("status")
        self._check("%s completes" % name, "" if status == "completed" else "status %s" % status)

    def _entries(self, kinds):
        """Returns what our hooks reported of these kinds, so far."""
        runs = self.hook_runs + [run for run in self._server.hook_runs()
                                 if run["displayOrder"] in self.world.our_display_orders]
        return [entry["text"] for run in runs for entry in run["entries"]
                if (entry["kind"] == "context") == (kinds == "context")]

    def _fill_words(self):
        """Tells the model, and the user of this scenario, what was shown so far."""
        words = {"$CONTINUITY": str(self.world.binary), "$ROOT": str(self.world.data_root),
                 "$FOLDER": str(self.folder), "$THREAD": self._thread,
                 "$TRANSCRIPT": self.world.transcript(self._thread)}
        for text in self._entries("shown"):
            found = re.search(r"confirm ([2-9A-Z]{4})(?: ([a-z2-7]{6}))?`", text)
            if found:
                words["$CODE"] = found.group(1)
                words["$SHORT"] = found.group(2) or ""
        self.world.model.words = words
        return words

    def _say(self, step):
        self._turns += 1
        prompt = step.prompt
        for word, value in self._fill_words().items():
            prompt = prompt.replace(word, value)
        name = "turn %d" % self._turns
        seen = len(self.world.model.requests)
        self._check_turn(name, self._server.turn(self._thread, prompt))
        requests = [request for request in self.world.model.requests[seen:]
                    if request.thread == self._thread and not request.is_compaction()]
        if not requests:
            self._check("%s reaches the model" % name, "no request of this thread")
            return
        if step.carries is None:
            return
        at_end = step.carries if step.carries_at_end is None else step.carries_at_end
        self._check_ours("%s, first request" % name, requests[0], step.carries)
        self._check_ours("%s, last request" % name, requests[-1], at_end)

    def _check_ours(self, place, request, carries):
        ours = [text for text in request.texts("developer") if text not in self._baseline]
        self.actual.extend((place, text) for text in ours)
        name = "%s carries %s" % (place, ", ".join(map(str, carries)) or "nothing of ours")
        if len(ours) != len(carries):
            self._check(name, "%d texts of ours: %r" % (len(ours), ours))
            return
        self._check(name, "; ".join(filter(None, map(self._difference, carries, ours))))
        found = [phrase for phrase in self.scenario.absent
                 if any(phrase.rstrip(".") in text for text in ours)]
        if self.scenario.absent and ours:
            self._check("%s leaves out what does not matter" % place,
                        "found %r" % found if found else "")

    def _difference(self, wanted, text):
        if isinstance(wanted, Holding):
            missing = [phrase for phrase in wanted.phrases if phrase not in text]
            return "missing %r" % missing if missing else ""
        return self._expected.difference(wanted, text)

    def _check_whole(self):
        runs = self.hook_runs
        names = [run["eventName"] for run in runs]
        if self.scenario.orders:
            wanted = [name[0].lower() + name[1:] for name in self.scenario.orders]
            self._check("hooks run in order", "" if names == wanted else "ran %s" % names)
        else:
            self._check("hooks run", "" if names else "none ran")
        failed = [run["eventName"] for run in runs if run["status"] != "completed"]
        if self.scenario.hooks_fail:
            self._check("some hooks fail", "" if failed else "all completed")
        else:
            self._check("no hook fails", "failed: %s" % failed if failed else "")
            shown = [entry["text"] for run in runs for entry in run["entries"]
                     if entry["kind"] != "context"]
            self._check_shown(shown)
        for name in self.scenario.checks:
            self._check(name.replace("_", " "), getattr(checks, name)(self))

    def _check_shown(self, shown):
        wanted = self.scenario.shown
        name = "the user is shown %s" % (", ".join(map(str, wanted)) or "nothing")
        if len(shown) != len(wanted):
            self._check(name, "shown %r" % shown)
            return
        self._check(name, "; ".join(filter(None, map(self._difference, wanted, shown))))


def baseline_of(world):
    """Returns what developers' messages say before anything of ours is installed."""
    folder = world.workspace("baseline")
    server = world.server(folder)
    try:
        thread = server.call("thread/start", {"cwd": str(folder)})["thread"]["id"]
        server.turn(thread, scenarios.CHATTER)
        server.compact(thread)
        server.turn(thread, scenarios.CHATTER)
    finally:
        server.close()
    return {text for request in world.model.requests for text in request.texts("developer")}
