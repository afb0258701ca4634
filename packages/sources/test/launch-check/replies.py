"""Replies of a tool: lines {id, text} in, {id, ...} or {id, error} out."""

import json
import os
import sys

# Tools print notes of their own.
output = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def reply(answer):
    """Writes what `answer` makes of each text."""
    for line in sys.stdin:
        given = json.loads(line)
        try:
            result = answer(given["text"])
        except (Exception, SystemExit) as error:  # Whatever it raises is what its user would see.
            result = {"error": f"{type(error).__name__}: {error}"[:300]}
        print(json.dumps({"id": given["id"], **result}, default=str), file=output, flush=True)
