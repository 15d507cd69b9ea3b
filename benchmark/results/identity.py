"""Who an agent was, exactly: what a record holds of its program, its model and the terms it worked on."""

import re
from collections.abc import Mapping
from functools import partial

from benchmark.results.tables import Cell, Column, TrialColumn
from benchmark.trials import TrialRecord

ASKED, ANSWERED = "model", "model_answered"
# key of a record's identity → how people call it; others are shown by their key
NAMES = {
    "program": "Program", "program_version": "Program version", ASKED: "Model asked for",
    ANSWERED: "Model that answered", "effort": "Effort", "endpoint": "Endpoint", "adapter": "Adapter version",
    "prompt": "Prompt hash", "network": "Network", "allow": "Hosts allowed", "sessions": "Sessions",
}  # fmt: skip
_DATE = re.compile(r"[-@]\d{4,8}(-\d\d-\d\d)?$")  # many endpoints add the day on which a model was made


def identity_rows(identity: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Name and value of what is known, in a fixed order."""
    order = [*NAMES, *sorted(identity.keys() - NAMES.keys())]
    return tuple((NAMES.get(key, key), identity[key]) for key in order if identity.get(key))


def other_model(identity: Mapping[str, str]) -> bool:
    """Whether somebody else answered than was asked. A program may ask smaller models for smaller things."""
    asked, answered = identity.get(ASKED, ""), identity.get(ANSWERED, "")
    return bool(asked and answered) and _plain(asked) not in map(_plain, answered.split(", "))


def _plain(model: str) -> str:
    return _DATE.sub("", model.rpartition("/")[2].strip().lower())


def _value(key: str, record: TrialRecord) -> Cell:
    return record.agent_identity.get(key)


IDENTITY_COLUMNS = tuple(
    TrialColumn("agent_ended", Column(f"agent_{key}", title), partial(_value, key)) for key, title in NAMES.items()
)
