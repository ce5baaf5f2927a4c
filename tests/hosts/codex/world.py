"""A throw-away home with Codex, our binary and Git workspaces in it."""

import json
import os
import pathlib
import shutil
import subprocess

from app_server import AppServer
from mock_model import MockModel

CONFIG = """\
model = "mock-model"
model_provider = "loop"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[model_providers.loop]
name = "loop"
base_url = "http://127.0.0.1:%d/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false
"""

# Codex and the Git it starts look for the network on their own; a dead proxy keeps them off it.
DEAD_PROXY = "http://127.0.0.1:9"

# A hook of somebody else that was there before us, with a layout of its own.
FOREIGN_HOOKS = '{"hooks": {\n\t"Stop": [ {"hooks":[{"type":"command","command":"true"}]} ]\n}}\n'

KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "TMPDIR", "SHELL")


class World:
    """Everything below one folder. Spaces and other letters in the paths are on purpose."""

    def __init__(self, codex, continuity, folder):
        self.codex = str(pathlib.Path(codex).resolve())
        self.folder = pathlib.Path(folder).resolve()
        if self.folder.exists() and any(self.folder.iterdir()):
            raise SystemExit("error: %s is not empty" % self.folder)
        self.home = self.folder / "home of Änn O'Hara"
        self.codex_home = self.home / ".codex"
        self.data_root = self.folder / "data root"
        self.binary = self.folder / "our bin" / "continuity"
        self.hook_file = self.codex_home / "hooks.json"
        for part in (self.codex_home, self.binary.parent, self.folder / "work"):
            part.mkdir(parents=True)
        self.our_display_orders = set()
        self._continuity = pathlib.Path(continuity).resolve()
        self.restore_binary()
        self.model = MockModel()
        (self.codex_home / "config.toml").write_text(CONFIG % self.model.port)
        self.hook_file.write_text(FOREIGN_HOOKS)
        self.environment = {name: os.environ[name] for name in KEPT_VARIABLES
                            if name in os.environ}
        self.environment.update(
            HOME=str(self.home), CODEX_HOME=str(self.codex_home), NO_PROXY="127.0.0.1,localhost",
            no_proxy="127.0.0.1,localhost", GIT_CONFIG_NOSYSTEM="1", GIT_TERMINAL_PROMPT="0",
            **{name: DEAD_PROXY for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY",
                                             "http_proxy", "https_proxy", "all_proxy")})

    def close(self):
        """Stops what runs."""
        self.model.close()

    def restore_binary(self):
        """Puts the real binary where the hooks expect it."""
        staged = self.binary.with_name("staged")
        shutil.copy2(self._continuity, staged)
        os.replace(staged, self.binary)

    def replace_binary(self, script):
        """Puts a script where the hooks expect the binary; `{real}` in it is the real one."""
        real = self.binary.with_name("real")
        shutil.copy2(self._continuity, real)
        staged = self.binary.with_name("staged")
        staged.write_text(script.replace("{real}", str(real)))
        staged.chmod(0o755)
        os.replace(staged, self.binary)

    def workspace(self, name):
        """Creates a Git workspace with one commit and returns its folder."""
        folder = self.folder / "work" / name
        folder.mkdir()
        identity = ("-c", "user.name=Ann", "-c", "user.email=ann@example.invalid")
        self.git(folder, "init", "--quiet", "--initial-branch=feature/report")
        (folder / "report.txt").write_text("draft\n")
        self.git(folder, "add", "report.txt")
        self.git(folder, *identity, "commit", "--quiet", "-m", "Draft the report")
        return folder

    def git(self, folder, *arguments):
        """Runs Git in a workspace."""
        subprocess.run(["git", *arguments], cwd=folder, env=self.environment, check=True,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def continuity(self, folder, *arguments):
        """Runs our command line in a folder, with the world's data root."""
        return subprocess.run(
            [str(self.binary), *arguments, "--data-root", str(self.data_root)], cwd=folder,
            env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, timeout=60)

    def continuity_json(self, folder, *arguments):
        """Runs a reading command with `--json`; returns its value, or its lines' values."""
        result = self.continuity(folder, *arguments, "--json")
        if result.returncode != 0:
            raise RuntimeError("continuity %s: %s" % (" ".join(arguments), result.stderr.strip()))
        try:
            return json.loads(result.stdout)
        except json.JSONDecodeError:
            return [json.loads(line) for line in result.stdout.splitlines() if line.strip()]

    def server(self, folder, *options):
        """Starts an app server in a workspace."""
        return AppServer(self.codex, self.environment, folder, self.folder / "codex.log", options)

    def hooks(self, folder):
        """Returns the hooks that Codex finds."""
        server = self.server(folder)
        try:
            return server.call("hooks/list", {"cwds": [str(folder)]})["data"][0]["hooks"]
        finally:
            server.close()

    def trust_hooks(self, folder):
        """Trusts every hook as the user's dialog does; returns the hooks afterwards."""
        server = self.server(folder)
        try:
            found = server.call("hooks/list", {"cwds": [str(folder)]})["data"][0]["hooks"]
            trusted = {hook["key"]: {"trusted_hash": hook["currentHash"]} for hook in found}
            server.call("config/batchWrite", {"reloadUserConfig": True, "edits": [{
                "keyPath": "hooks.state", "mergeStrategy": "upsert", "value": trusted}]})
            return server.call("hooks/list", {"cwds": [str(folder)]})["data"][0]["hooks"]
        finally:
            server.close()

    def continuity_version(self):
        """Asks our binary for its version."""
        return subprocess.run([str(self.binary), "--version"], env=self.environment, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=False)

    def transcript(self, thread):
        """Returns the file in which Codex keeps a conversation; empty before there is one."""
        found = sorted((self.codex_home / "sessions").rglob("*%s*.jsonl" % thread))
        return str(found[-1]) if found else ""

    def codex_version(self):
        """Returns what Codex calls itself."""
        return subprocess.run([self.codex, "--version"], env=self.environment, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True,
                              stderr=subprocess.DEVNULL).stdout.strip()
