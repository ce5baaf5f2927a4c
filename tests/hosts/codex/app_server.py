"""A client of `codex app-server`: JSON objects, one a line, over standard input and output."""

import json
import queue
import subprocess
import threading
import time

CALL_SECONDS_MAX = 60


class AppServer:
    """One running app server. Every notification it sends is kept in `notifications`."""

    def __init__(self, codex, environment, folder, log, options=()):
        self.notifications = []
        self._answers = queue.Queue()
        self._number = 0
        self._log = open(log, "ab")
        self._process = subprocess.Popen(
            [codex, *options, "app-server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=self._log, env=environment, cwd=folder)
        threading.Thread(target=self._read, daemon=True).start()
        self.call("initialize", {"clientInfo": {"name": "driver", "title": "driver",
                                                "version": "0"},
                                 "capabilities": {"experimentalApi": True}})
        self._send({"method": "initialized"})

    def _read(self):
        for line in self._process.stdout:
            if line.strip():
                self._answers.put(json.loads(line))
        self._answers.put(None)

    def _send(self, value):
        self._process.stdin.write(json.dumps(value).encode() + b"\n")
        self._process.stdin.flush()

    def _next(self, deadline):
        value = self._answers.get(timeout=max(0.1, deadline - time.monotonic()))
        if value is None:
            raise EOFError("app-server closed its output")
        if "method" in value:
            self.notifications.append(value)
        return value

    def call(self, method, parameters=None):
        """Calls a method and returns its result."""
        self._number += 1
        number = self._number
        self._send({"id": number, "method": method, "params": parameters or {}})
        deadline = time.monotonic() + CALL_SECONDS_MAX
        while True:
            value = self._next(deadline)
            if value.get("id") == number and "method" not in value:
                if "error" in value:
                    raise RuntimeError("%s: %s" % (method, value["error"]))
                return value["result"]

    def wait(self, method, thread):
        """Returns the next notification of a thread that has the given method."""
        deadline = time.monotonic() + CALL_SECONDS_MAX
        while True:
            value = self._next(deadline)
            parameters = value.get("params") or {}
            if value.get("method") == method and parameters.get("threadId") == thread:
                return parameters

    def turn(self, thread, text):
        """Runs one turn and returns how it completed."""
        self.call("turn/start", {"threadId": thread, "input": [{"type": "text", "text": text}]})
        return self.wait("turn/completed", thread)["turn"]

    def compact(self, thread):
        """Compacts a thread as the user's command does, and returns how that turn completed."""
        self.call("thread/compact/start", {"threadId": thread})
        return self.wait("turn/completed", thread)["turn"]

    def hook_runs(self):
        """Returns what the host reported about each hook that ended, oldest first."""
        return [value["params"]["run"] for value in self.notifications
                if value.get("method") == "hook/completed"]

    def close(self):
        """Ends the server as a host does: by closing its input. Returns its exit code."""
        self._process.stdin.close()
        try:
            code = self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        while True:
            value = self._answers.get()
            if value is None:
                break
            if "method" in value:
                self.notifications.append(value)
        self._log.close()
        return code
