"""The output folder: what an earlier call left is cleared, what is seen on the way is kept."""

import contextlib
import os
import shutil
from pathlib import Path

from benchmark.craft.judging.protocol import DemoEvidence
from benchmark.errors import UsageError
from benchmark.files import write_whole
from benchmark.replay.build_gate import BuildReport

REWARD_FILE = "reward.txt"
OTHER_REWARD_FILE = "reward.json"  # never ours, but Harbor prefers it: an agent may have left one
BREAKDOWN_FILE, JUDGE_LOG_FILE, BUILD_LOG_FILE, CTRF_FILE = "breakdown.json", "judge_log.json", "build.log", "ctrf.json"
ATTEMPTS_FILE = "judge_attempts.jsonl"
DEMOS = "demos"


def clear(output: Path) -> None:
    """Make the folder, without any result of an earlier call: those who find a reward take it for this one's.

    The reward goes first, so that nothing that may fail after it leaves it there.
    """
    if output.exists() and not output.is_dir():
        raise UsageError(f"--output: {output} is not a folder")
    output.mkdir(parents=True, exist_ok=True)
    for name in (
        REWARD_FILE,
        OTHER_REWARD_FILE,
        BREAKDOWN_FILE,
        CTRF_FILE,
        JUDGE_LOG_FILE,
        BUILD_LOG_FILE,
        ATTEMPTS_FILE,
    ):
        (output / name).unlink(missing_ok=True)
    demos = output / DEMOS
    if demos.is_symlink():
        demos.unlink()
    elif demos.is_dir():
        for child in demos.iterdir():
            # Either verifier's demos have one of these; a folder of that name may as well be somebody's own.
            if not any((child / mark).exists() for mark in ("evidence.json", "logs")):
                raise UsageError(f"--output: {child} is in the way and holds something else", fix="name another folder")
        shutil.rmtree(demos)


def write_build_log(output: Path, gate: BuildReport) -> None:
    """What the gate found, then what the engine printed on launch."""
    lines = [f"{'BLOCKS' if finding.blocks else 'note'}  {finding.reason}: {finding}" for finding in gate.findings]
    lines.append(f"BUILD = {gate.build} (launches: {gate.launches}, has a trace: {gate.has_trace})")
    write_whole(output / BUILD_LOG_FILE, "\n".join([*lines, "", gate.log]))


def keep_demo(output: Path, demo: DemoEvidence) -> Path:
    """The whole evidence of a demo in `demos/<id>/`, its film and log also under the names of the public verifier."""
    target = output / DEMOS / demo.name
    shutil.copytree(demo.folder, target, copy_function=shutil.copyfile)
    _second_name(target / "engine.log", target / "logs" / "godot.log")
    if demo.evidence.video:
        _second_name(target / demo.evidence.video.file, film_of(target))
    return target


def film_of(folder: Path) -> Path:
    return folder / f"{folder.name}.mp4"


def _second_name(path: Path, name: Path) -> None:
    """A hard link where the file system has them."""
    if path == name:  # a demo may itself be called `video`
        return
    name.parent.mkdir(exist_ok=True)
    with contextlib.suppress(OSError):
        os.link(path, name)
        return
    shutil.copyfile(path, name)
