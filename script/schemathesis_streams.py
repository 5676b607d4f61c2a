"""What schemathesis cannot read out of the description: the events of a stream, which `x-events` names.

Loaded by `script/schemathesis`. A stream is cut after its second event (`max-stream-events` there), because none of them ends.
"""

import json

import jsonschema_rs
import schemathesis

# Before there are threads: two that import it at once can fail in CPython 3.11 ("AST constructor recursion depth mismatch").
import schemathesis.transport.asgi  # noqa: F401


def frames(text):
    """The events of a stream: their fields by name. Comments and `retry` are none."""
    for block in text.split("\n\n"):
        lines = [line.partition(": ") for line in block.splitlines() if not line.startswith(":")]
        fields = {name: value for name, _, value in lines}
        if "event" in fields or "data" in fields:
            yield fields


@schemathesis.check
def events_as_described(context, response, case):
    if response.status_code != 200 or not case.path.startswith("/events"):
        return
    kind = response.headers.get("content-type", [""])[0]
    assert kind.startswith("text/event-stream"), f"a stream of {kind}"
    described = case.operation.definition.raw["responses"]["200"]["content"]["text/event-stream"]
    described = described["schema"]["x-events"]
    seen = list(frames(response.content.decode()))
    assert seen and seen[0].get("event") == "release", "a stream that does not begin with the release"
    # Only a match may have nothing more to tell yet.
    assert len(seen) > 1 or case.path == "/events/match/{id}", "a stream without an event of its own"
    for event in seen:
        name = event.get("event")
        assert name in described, f"the event {name} is not described"
        schema = {**described[name], "components": case.operation.schema.raw_schema["components"]}
        error = next(jsonschema_rs.validator_for(schema).iter_errors(json.loads(event["data"])), None)
        assert error is None, f"{name} is not as described: {error}"
