"""An agent plays a browser game; the state of the game says how far it came."""

from benchmark.tracks import Attachment, Options, OwnAgents, Packages, Track, Trials, late

# genre → games of the full benchmark times five tasks
GENRES = {"arcade": 35, "platformer": 40, "puzzle": 35, "runner": 40, "simulation": 20}
LEVELS = ("L1", "L2", "L3", "L4", "L5")
MARKER = "game.yaml"

TRACK = Track(
    name="play",
    about="games played",
    families=GENRES,
    family_word="genre",
    labels={"level": LEVELS},
    needs=frozenset({"browser"}),
    oracle_reaches="success >= 1",
    keeps={"policies": "how many actions a game's own policy takes"},
    packages=Packages(
        lint=late("benchmark.play.authoring:check_package"),
        marker=MARKER,
        read=late("benchmark.play.tasks:read_tasks"),
        foreign=late("benchmark.play.public.catalogue:find_tasks"),
        validate=late("benchmark.play.validation:validate"),
    ),
    trials=Trials(
        begin=late("benchmark.play.trial:begin"),
        versions=late("benchmark.play.trial:task_versions"),
        checks=late("benchmark.play.trial:stored_checks"),
        check_facts=late("benchmark.play.facts:read_facts"),
        verifier=late("benchmark.play.trial:verifier"),
        verify=late("benchmark.play.replaying:verify"),
        verify_reads=("steps.jsonl", "play.json"),
        replay=late("benchmark.play.replaying:replay_trial"),
    ),
    options=Options(
        add=late("benchmark.play.options:add_options"),
        read=late("benchmark.play.options:read_options"),
        versions=late("benchmark.play.options:option_versions"),
        counted=("play_seed", "play_clock"),
        fixture="play_settings",
    ),
    agents=OwnAgents(
        parse=late("benchmark.play.agents:parse_agent"),
        words="model:NAME[,interface=semantic|computer] or random",
        refuse=late("benchmark.play.agents:why_not"),
    ),
    attachments=(Attachment("steps.jsonl", "steps", "application/x-ndjson", "jsonl"),),
    metrics=late("benchmark.play.results.metrics:PlayMetrics"),
    pages=late("benchmark.play.report.pages:PlayPages"),
)
