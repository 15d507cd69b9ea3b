"""The same evidence from other processors, as far as one machine can pretend to be another."""

import shutil
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from benchmark.replay import engine_recorder
from benchmark.replay.build_gate import check_build
from benchmark.replay.evidence import Evidence, RecorderSettings
from benchmark.replay.take_order import TakeOrder
from benchmark.runtime.machine import Machine
from benchmark.runtime.sandbox import Job, Sandbox

pytestmark = pytest.mark.engine
TINY = Path(__file__).parents[1] / "tasks/craft/puzzle/tiny-switch/solution"
EMULATOR = shutil.which("qemu-x86_64-static")
# What Mesa and glibc find on a processor of 2008: no AVX, no FMA, no half floats.
WITHOUT_AVX = {
    "GALLIUM_OVERRIDE_CPU_CAPS": "sse4.1",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX2,-AVX,-FMA,-FMA4,-BMI2,-ERMS",
}
WITH_AVX512 = {"GALLIUM_OVERRIDE_CPU_CAPS": "none of the names that Mesa knows"}


@dataclass(frozen=True)
class OtherProcessor(Sandbox):
    """Starts the engine, and nothing else, with other variables or through an emulator."""

    variables: dict[str, str] = field(default_factory=dict)
    emulated: str = ""

    def start(self, job: Job, *more: Any, **others: Any) -> Any:
        if "GAMECRAFT_CHANNEL" not in job.env:
            return super().start(job, *more, **others)
        job = replace(job, env={**job.env, **self.variables})
        if self.emulated:
            # Preloaded and tuned is the engine, not its emulator, which reserves more than a game may.
            guest = [f"{key}={job.env[key]}" for key in ("LD_PRELOAD", "GLIBC_TUNABLES")]
            rest = {key: value for key, value in job.env.items() if key not in ("LD_PRELOAD", "GLIBC_TUNABLES")}
            options = ("-cpu", self.emulated, *(word for one in guest for word in ("-E", one)))
            arguments = (*options, self.userland.inside(job.program), *job.args)
            limits = replace(job.limits, address_space_bytes=0, wall_sec=1500, cpu_sec=3000)
            job = replace(job, program=Path(EMULATOR or ""), args=arguments, env=rest, limits=limits)
        return super().start(job, *more, **others)


def record(project: Path, machine: Machine, out: Path, video_fps: int = 0) -> Evidence:
    gate = check_build(project, machine)
    assert gate.prepared is not None
    out.mkdir()
    settings = RecorderSettings(video_fps=video_fps)
    return engine_recorder.record(gate.prepared, TakeOrder(gate.traces.traces[0], settings), machine, out)


def pretending(machine: Machine, variables: dict[str, str] | None = None, emulated: str = "") -> Machine:
    sandbox = machine.sandbox
    assert isinstance(sandbox, Sandbox), "pretending needs bubblewrap: python -m benchmark doctor"
    other = OtherProcessor(sandbox.userland, sandbox.bwrap, sandbox.as_nobody, variables or {}, emulated)
    return replace(machine, sandbox=other)


@pytest.mark.parametrize("variables", [WITHOUT_AVX, WITH_AVX512], ids=["without AVX", "with AVX-512 if it is there"])
def test_a_digest_does_not_depend_on_vector_instructions(
    machine: Machine, games: Path, tmp_path: Path, variables: dict[str, str]
) -> None:
    """Of moss_run 193 of 200 frames differed without AVX, before shaders were kept from fused multiply-add."""
    here = record(games / "bench/moss_run", machine, tmp_path / "here")
    there = record(games / "bench/moss_run", pretending(machine, variables), tmp_path / "there")
    assert here.outcome.complete
    assert here.pinned["arithmetic"] == "x86-64 without fused multiply-add"
    assert there.pixels == here.pixels
    assert there.digest == here.digest


def test_what_computed_is_named_beside_the_evidence_and_not_in_it(machine: Machine, tmp_path: Path) -> None:
    evidence = record(TINY, machine, tmp_path / "here")
    assert '"processor"' in (tmp_path / "here/timing.json").read_text(encoding="utf-8")
    assert "timing.json" not in evidence.files
    assert evidence.pinned["api"].count("Mesa") == 1
    assert "llvmpipe (LLVM" in evidence.pinned["adapter"]


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.skipif(EMULATOR is None, reason="no qemu-x86_64-static on PATH (Debian: qemu-user-static)")
@pytest.mark.parametrize("model", ["Nehalem", "Haswell", "EPYC"])
def test_an_emulated_processor_gives_the_same_digest(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    """Two to three minutes each: every instruction of engine, Mesa and LLVM is translated."""
    monkeypatch.setattr(engine_recorder, "STALL_SEC", 900.0)
    here = record(TINY, machine, tmp_path / "here")
    there = record(TINY, pretending(machine, emulated=model), tmp_path / "there")
    assert here.outcome.complete
    assert there.digest == here.digest
