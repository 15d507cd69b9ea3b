"""Whether a trajectory is one: what the schema of the format says, and what no schema can say."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import jsonschema

from benchmark.agents.trajectory import Trajectory, Who, as_atif, write_trajectory

SCHEMA = json.loads(Path(__file__).with_name("atif-1.8.schema.json").read_text(encoding="utf-8"))
WHO = Who("an agent", "1", "scripted", "high")


def check_trajectory(trajectory: Trajectory, folder: Path) -> dict[str, Any]:
    """Written and read again; returns it as it stands in the file."""
    path = folder / "trajectory.json"
    write_trajectory(path, trajectory, WHO)
    written = check_file(path)
    assert as_atif(trajectory, WHO)["final_metrics"]["total_steps"] == len(written["steps"])
    return written


def check_file(path: Path) -> dict[str, Any]:
    """One that was written, with the pictures beside it."""
    written: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    jsonschema.validate(written, SCHEMA)
    assert [step["step_id"] for step in written["steps"]] == list(range(1, len(written["steps"]) + 1))
    for step in written["steps"]:
        datetime.fromisoformat(step.get("timestamp", "2026-01-01T00:00:00"))
        calls = [call["tool_call_id"] for call in step.get("tool_calls", [])]
        assert len(set(calls)) == len(calls)
        for result in step.get("observation", {}).get("results", []):
            assert result["source_call_id"] in calls
            for part in result["content"] if isinstance(result["content"], list) else []:
                if part["type"] == "image":
                    assert (path.parent / part["source"]["path"]).is_file()
    return written
