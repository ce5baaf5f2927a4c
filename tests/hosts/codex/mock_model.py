"""A scripted model behind the Responses API, on the loopback interface only.

It answers what the rules of a scenario say, and keeps every request it was sent. A rule is chosen
by the newest user message of a request; without one the answer is a plain sentence.
"""

import dataclasses
import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

COMPACTION_PROMPT = "CONTEXT CHECKPOINT COMPACTION"
SUMMARY = "Earlier work was summarised."


@dataclasses.dataclass(frozen=True)
class Call:
    """A tool call of the model. `$AGENT` in the arguments is the id of the last spawned agent."""

    name: str
    arguments: dict
    namespace: str = ""


@dataclasses.dataclass(frozen=True)
class Rule:
    """What the model does when the newest user message contains `when`.

    Words in `MockModel.words`, such as `$CODE`, are replaced in what it calls and says.
    """

    when: str
    calls: tuple = ()
    input_tokens: int = 50
    says: str = ""


class Request:
    """One request as the model got it."""

    def __init__(self, body):
        self.body = body
        items = body.get("input", [])
        self.items = items if isinstance(items, list) else [{"role": "user", "content": items}]
        self.thread = body.get("prompt_cache_key", "")

    def texts(self, role):
        """Returns the messages of one role, oldest first."""
        return [text_of(item) for item in self.items if item.get("role") == role]

    def is_compaction(self):
        """Tells whether the host asks for a summary, in either of its two ways."""
        if self.items and self.items[-1].get("type") == "compaction_trigger":
            return True
        users = self.texts("user")
        return bool(users) and COMPACTION_PROMPT in users[-1]

    def outputs_since_last_user(self):
        """Returns the tool outputs behind the newest user message."""
        newest = max((i for i, item in enumerate(self.items) if item.get("role") == "user"),
                     default=-1)
        return [item for item in self.items[newest + 1:]
                if str(item.get("type", "")).endswith("_output")]


def text_of(item):
    """Returns the text of a message, its parts joined."""
    content = item.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "".join(part.get("text", "") for part in parts if isinstance(part, dict))


class MockModel:
    """Serves until closed. `rules` and `words` may be replaced between turns."""

    def __init__(self):
        self.rules = ()
        self.words = {}
        self.requests = []
        self._lock = threading.Lock()
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_arguments):
                pass

            def do_GET(self):
                self._send(404, "application/json", b'{"error":{"message":"not found"}}')

            def do_POST(self):
                raw = self.rfile.read(int(self.headers.get("content-length", 0)))
                if not self.path.split("?")[0].endswith("/responses"):
                    self.do_GET()
                    return
                stream = model.answer(Request(json.loads(raw)))
                self._send(200, "text/event-stream", stream)

            def _send(self, status, kind, body):
                self.send_response(status)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        """Stops serving."""
        self._server.shutdown()
        self._server.server_close()

    def answer(self, request):
        """Keeps the request and returns the event stream that answers it."""
        with self._lock:
            self.requests.append(request)
            number = len(self.requests)
        item, input_tokens = self._item(request, number)
        usage = {"input_tokens": input_tokens, "output_tokens": 10,
                 "input_tokens_details": {"cached_tokens": 0},
                 "output_tokens_details": {"reasoning_tokens": 0},
                 "total_tokens": input_tokens + 10}
        name = "resp_%d" % number
        response = {"id": name, "output": [item], "usage": usage}
        events = (("response.created", {"response": {"id": name}}),
                  ("response.output_item.added", {"output_index": 0, "item": item}),
                  ("response.output_item.done", {"output_index": 0, "item": item}),
                  ("response.completed", {"response": response}))
        return "".join("event: %s\ndata: %s\n\n" % (kind, json.dumps({"type": kind, **data}))
                       for kind, data in events).encode()

    def _item(self, request, number):
        if request.items and request.items[-1].get("type") == "compaction_trigger":
            return {"type": "compaction", "id": "cmp_%d" % number,
                    "encrypted_content": "summary"}, 50
        if request.is_compaction():
            return message(SUMMARY, number), 50
        users = request.texts("user")
        newest = users[-1] if users else ""
        rule = next((rule for rule in self.rules if rule.when in newest), Rule(""))
        outputs = request.outputs_since_last_user()
        # After a compaction inside the turn the newest user message is the host's summary: no rule.
        if len(outputs) < len(rule.calls):
            call = tool_call(rule.calls[len(outputs)], outputs, number)
            call["arguments"] = self._filled(call["arguments"], json.dumps)
            return call, rule.input_tokens
        says = self._filled(rule.says, str) or "Answer %d." % number
        return message(says, number), rule.input_tokens

    def _filled(self, text, escaped):
        for name, value in self.words.items():
            text = text.replace(name, escaped(value).strip('"'))
        return text


def message(text, number):
    """Returns an assistant message."""
    return {"type": "message", "id": "msg_%d" % number, "role": "assistant",
            "content": [{"type": "output_text", "text": text, "annotations": []}]}


def tool_call(call, outputs, number):
    """Returns a function call."""
    found = re.search(r"agent_id\W+([0-9a-f-]{36})", json.dumps(outputs))
    arguments = json.dumps(call.arguments).replace("$AGENT", found.group(1) if found else "")
    item = {"type": "function_call", "id": "fc_%d" % number, "call_id": "call_%d" % number,
            "name": call.name, "arguments": arguments}
    if call.namespace:
        item["namespace"] = call.namespace
    return item
