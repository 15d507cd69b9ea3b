"""Games built from scratch, shown in demos, scored by judges."""

from pathlib import Path

from benchmark.craft.families import FAMILIES
from benchmark.limits import MAX_TEXT_BYTES
from benchmark.tasks import SOLVE_SCRIPT
from benchmark.tracks import Judging, Options, Packages, Track, Trials, Workbench, late
from benchmark.untrusted import UnreadableFileError, read_text


def has_solution(folder: Path) -> bool:
    """Whether there is a project, or a script with at least one line that is not a comment."""
    solution = folder / "solution"
    if (solution / "project.godot").is_file():
        return True
    try:
        script = read_text(solution / SOLVE_SCRIPT, MAX_TEXT_BYTES)
    except UnreadableFileError:
        return False
    return any(line.strip() and not line.lstrip().startswith("#") for line in script.splitlines())


TRACK = Track(
    name="craft",
    about="games built",
    families=FAMILIES,
    needs=frozenset({"engine", "art", "judge"}),
    oracle_reaches="build >= 1",
    keeps={
        "audits": "damaged games as a judge saw them",
        "judgements": "what judges said",
    },
    packages=Packages(
        lint=late("benchmark.craft.authoring:check_package"),
        has_solution=has_solution,
        adopts=lambda folder: True,  # public packages do not name a track
    ),
    workbench=Workbench(
        check=late("benchmark.craft.workbench:check"),
        replay=late("benchmark.craft.workbench:replay"),
    ),
    trials=Trials(
        begin=late("benchmark.craft.trial:begin"),
        verify=late("benchmark.craft.verification:verify"),
        verify_reads=("submission", "evidence", "opinions.json"),
        versions=late("benchmark.craft.trial:task_versions"),
        checks=late("benchmark.craft.trial:stored_checks"),
        evidence=late("benchmark.craft.trial:stored_evidence"),
        check_facts=late("benchmark.craft.record:check_facts"),
    ),
    options=Options(
        add=late("benchmark.craft.options:add_options"),
        read=late("benchmark.craft.options:read_settings"),
        versions=lambda settings: {"recorder": settings.recorder},
        counted=("recorder",),
        fixture="recorder",
    ),
    judging=Judging(
        check=late("benchmark.craft.judging.registry:check_judge"),
        make=late("benchmark.craft.judging.registry:make_judge"),
        is_known=late("benchmark.craft.judging.registry:is_registered"),
    ),
    show_in_allure=late("benchmark.craft.report.allure:show"),
    metrics=late("benchmark.craft.results.metrics:CraftMetrics"),
    pages=late("benchmark.craft.report.pages:CraftPages"),
)
