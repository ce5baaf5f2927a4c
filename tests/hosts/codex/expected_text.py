"""Exact texts with placeholders for what differs from run to run."""

import pathlib
import re

PLACEHOLDERS = {
    # One line's rest: the witness of task and position, which also carries a code of a secret key.
    "mark": r"[^\n]+",
    "commit": r"[0-9a-f]{7,40}",
    # A folder of the driver's own making, whole.
    "folder": r"/[^\n”]+",
    "time": r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?Z?",
}


class ExpectedTexts:
    """The files `<name>.txt` of a folder. A final line end of a file does not count."""

    def __init__(self, folder):
        self._folder = pathlib.Path(folder)

    def difference(self, name, actual):
        """Returns why `actual` is not the text called `name`, or nothing."""
        path = self._folder / (name + ".txt")
        if not path.exists():
            return "expected/%s.txt does not exist" % name
        template = path.read_text(encoding="utf-8").removesuffix("\n")
        actual = actual.removesuffix("\n")
        if pattern_of(template).fullmatch(actual):
            return ""
        wanted, got = template.split("\n"), actual.split("\n")
        for number, (left, right) in enumerate(zip(wanted, got), 1):
            if not pattern_of(left).fullmatch(right):
                return "line %d: expected %r, got %r" % (number, left, right)
        return "expected %d lines, got %d" % (len(wanted), len(got))


def pattern_of(template):
    """Returns the pattern that a text with placeholders stands for."""
    parts = re.split(r"\{(%s)\}" % "|".join(PLACEHOLDERS), template)
    return re.compile("".join(PLACEHOLDERS[part] if index % 2 else re.escape(part)
                              for index, part in enumerate(parts)))
