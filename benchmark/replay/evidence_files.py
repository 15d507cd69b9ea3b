"""The last step of every recorder: logs, hashes, `evidence.json`."""

import hashlib
import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from benchmark.files import write_whole
from benchmark.jsonl import write_lines
from benchmark.replay.evidence import Evidence, file_hash, write_evidence
from benchmark.replay.inputs import Input
from benchmark.replay.traces import Trace

# Times and the raw log differ from run to run, so they do not count in the digest.
_NOT_HASHED = {"engine.log", "timing.json"}


def input_log(trace: Trace, inputs: tuple[Input, ...], delivered: dict[int, int]) -> list[dict[str, Any]]:
    """One line per low-level input: what, due when, delivered on which frame (null: the game never got it)."""
    rows = []
    for index, item in enumerate(inputs):
        what: dict[str, Any] = {"event": item.event, "type": trace.events[item.event].type, "kind": item.kind}
        if item.kind == "key":
            what |= {"keycode": item.keycode, "pressed": item.pressed, "echo": item.echo}
        else:
            what |= {"x": item.x, "y": item.y}
            what |= {"button": item.button, "pressed": item.pressed} if item.kind == "button" else {}
        rows.append({**what, "frame": item.frame, "delivered_frame": delivered.get(index)})
    return rows


def finish_evidence(
    evidence: Evidence,
    out: Path,
    inputs: list[dict[str, Any]],
    states: list[dict[str, Any]],
    log: str,
    timing: dict[str, Any],
) -> Evidence:
    """Write everything beside the pictures and return the evidence with its hashes."""
    write_lines(out / "inputs.jsonl", inputs)
    write_lines(out / "state.jsonl", states)
    write_whole(out / "engine.log", log)
    (out / "timing.json").write_text(json.dumps(timing, indent=1), encoding="utf-8")
    names = sorted(path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file())
    files = {name: file_hash(out / name) for name in names if name not in _NOT_HASHED}
    evidence = replace(evidence, files=files)
    evidence = replace(evidence, digest=content_digest(asdict(evidence)))
    write_evidence(evidence, out)
    return evidence


def content_digest(document: dict[str, Any]) -> str:
    """The digest of an `evidence.json`, which stands in it but does not count."""
    return hashlib.sha256(json.dumps({**document, "digest": ""}, sort_keys=True).encode()).hexdigest()
