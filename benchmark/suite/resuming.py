"""A run that is resumed: which settled trials stay as they are, and whether they would be the same trials today."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from benchmark.errors import BenchmarkError, UsageError
from benchmark.suite.collection import TrialSpec
from benchmark.suite.options import CHANGED, SuiteOptions
from benchmark.tracks import counted_options, track_of
from benchmark.trials import TrialRecord
from benchmark.versions import COUNTED, OF_A_CONFTEST, differing

_SHOWN_CHANGES = 12
_SHOWN_TRIALS = 3


@dataclass(frozen=True)
class Question:
    """What a trial would be asked today, and who would judge it."""

    judge: str
    versions: dict[str, str]


Ask = Callable[[TrialSpec], Question]


@dataclass(frozen=True)
class Change:
    """One thing that is not what it was when a trial was settled."""

    what: str
    old: str
    new: str


@dataclass(frozen=True)
class Resumed:
    """What is settled and stays so, what has a record and runs again, both by label; and what the user should know."""

    settled: frozenset[str] = frozenset()
    redone: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()


def resume(options: SuiteOptions, specs: Sequence[TrialSpec], records: Mapping[str, TrialRecord]) -> Resumed:
    """`records` are the scored ones of the run. Raises UsageError where old and new would be mixed unasked."""
    wanted, ask = _redo(options, specs), question_maker(options)
    redone = set()
    changed: dict[Change, list[str]] = {}
    for spec in specs:
        label = spec.id.label
        if label not in records:
            continue
        found = changes(spec, records[label], ask)
        if wanted & {spec.id.agent, spec.id.task, spec.task.slug, label} or (found and CHANGED in wanted):
            redone.add(label)
        else:
            for change in found:
                changed.setdefault(change, []).append(label)
    lines = _lines(changed)
    if changed and not options.keep_old:
        raise UsageError(
            "\n  ".join([f"run {options.run!r} has settled trials that would be others today", *lines]),
            fix=f"--redo {CHANGED} runs them again (--redo AGENT, --redo TASK: some of them), --keep-old keeps them as "
            "they are, another --run leaves this run alone",
        )
    notes = [f"kept as settled, would be others today: {line}" for line in lines]
    strange = {record.judge for record in records.values() if not _is_known(record)}
    overridden = {
        f"{kind} {value.removesuffix(OF_A_CONFTEST)}"
        for record in records.values()
        for kind, value in record.versions.items()
        if value.endswith(OF_A_CONFTEST)
    }
    notes += [
        f"whether {what} is what it was is not known: it is a conftest's"
        for what in sorted({f"judge {name}" for name in strange} | overridden)
    ]
    return Resumed(frozenset(records) - redone, frozenset(redone), tuple(notes))


def _redo(options: SuiteOptions, specs: Sequence[TrialSpec]) -> set[str]:
    known = {CHANGED}.union(*({one.id.agent, one.id.task, one.task.slug, one.id.label} for one in specs))
    if unknown := [value for value in options.redo if value not in known]:
        agents = ", ".join(agent.name for agent in options.agents)
        raise UsageError(
            f"--redo: {', '.join(unknown)}: no agent and no task of this run",
            fix=f"{CHANGED}, an agent ({agents}), a task such as {specs[0].id.task if specs else 'craft/puzzle/x'}",
        )
    return set(options.redo)


def question_maker(options: SuiteOptions) -> Ask:
    """Nothing is started. Each task is read once, and a judge made only when it is asked about."""
    tasks: dict[tuple[str, bool], dict[str, str]] = {}

    @cache
    def decider(name: str) -> tuple[str, str]:
        track = track_of(name)
        if track.judging is None:
            return track.trials.verifier() if track.trials.verifier else ("", "")
        made = track.judging.make(options.judges[0])
        return made.name, made.version

    def ask(spec: TrialSpec) -> Question:
        from benchmark.running import input_versions  # brings all that runs a trial

        key = (spec.id.task, spec.agent.name == "oracle")
        if key not in tasks:
            tasks[key] = input_versions(spec.task, spec.agent)
        name, version = decider(spec.task.track)
        added = track_of(spec.task.track).options
        told = added.versions(options.settings[spec.task.track]) if added else {}
        return Question(name, {**tasks[key], "agent": spec.agent.version, "judge": version, **told})

    return ask


def changes(spec: TrialSpec, record: TrialRecord, ask: Ask) -> list[Change]:
    """What of a settled trial is not the same today. What its record does not tell is unknown, not changed."""
    try:
        now = ask(spec)
    except (BenchmarkError, OSError) as error:
        return [Change(f"package of {spec.id.task}", "readable", getattr(error, "message", str(error)))]
    before = _compared(record.judge, record.versions)
    if not _is_known(record):
        before["judge"] = ""
    before = {kind: value for kind, value in before.items() if not value.endswith(OF_A_CONFTEST)}
    today = _compared(now.judge, now.versions)
    options = counted_options(spec.task.track)
    whose = {"agent": f" {spec.id.agent}", "judge": "", **dict.fromkeys(options, "")}
    return [
        Change(f"{COUNTED.get(kind, kind)}{whose.get(kind, f' of {spec.id.task}')}", before[kind], today[kind])
        for kind in differing(before, today, spec.id.agent, options)
    ]


def _is_known(record: TrialRecord) -> bool:
    """Whether its judge can be made here. One that a conftest brought only the tests themselves meet."""
    judging = track_of(record.track).judging
    return judging is None or judging.is_known(record.judge)


def _compared(judge: str, versions: Mapping[str, str]) -> dict[str, str]:
    version = versions.get("judge")
    return {**versions, "judge": f"{judge} {version}" if version else ""}


def _lines(changed: Mapping[Change, Sequence[str]]) -> list[str]:
    lines = []
    for change, labels in changed.items():
        more = f", and {len(labels) - _SHOWN_TRIALS} more" if len(labels) > _SHOWN_TRIALS else ""
        trials = f"{len(labels)} trial(s): {', '.join(labels[:_SHOWN_TRIALS])}{more}"
        lines.append(f"{change.what}: {change.old} → {change.new} ({trials})")
    if len(lines) > _SHOWN_CHANGES:
        lines[_SHOWN_CHANGES:] = [f"and {len(lines) - _SHOWN_CHANGES} more"]
    return lines
