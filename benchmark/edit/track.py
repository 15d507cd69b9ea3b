"""One change in an existing Godot project, decided by a hidden test."""

from benchmark.tracks import Attachment, Packages, Track, Trials, Workbench, late

SKILLS = {"2d-graphics": 9, "gameplay": 7, "3d-graphics": 4, "user-interface": 4}
EDITORS = ("scene", "script", "contextual")

REFERENCES = "tasks_gt"  # what tells a folder of the public benchmark
_imported = late("benchmark.edit.imported:find_tasks")

TRACK = Track(
    name="edit",
    about="changes made",
    families=SKILLS,
    family_word="skill",
    labels={"editor": EDITORS},
    needs=frozenset({"engine"}),
    keeps={"verdicts": "what hidden tests said"},
    oracle_reaches="pass_1 >= 1",
    pass_or_fail=True,
    packages=Packages(
        lint=late("benchmark.edit.authoring:check_package"),
        foreign=lambda root, broken: _imported(root, broken) if (root / REFERENCES).is_dir() else None,
    ),
    workbench=Workbench(
        check=late("benchmark.edit.workbench:check"),
        replay=late("benchmark.edit.workbench:replay"),
    ),
    trials=Trials(
        begin=late("benchmark.edit.trial:begin"),
        verify=late("benchmark.edit.verification:verify"),
        versions=late("benchmark.edit.trial:task_versions"),
        checks=late("benchmark.edit.trial:stored_checks"),
        verifier=late("benchmark.edit.trial:verifier"),
    ),
    attachments=(
        Attachment("picture.png", "picture", "image/png", "png"),
        Attachment("changes.diff", "what the agent changed", "text/plain", "diff"),
        Attachment("test.log", "log of the test", "text/plain", "txt"),
    ),
    metrics=late("benchmark.edit.results.metrics:EditMetrics"),
    pages=late("benchmark.edit.report.pages:EditPages"),
)
