"""`--agent NAME`, `NAME@MODEL`, and what `agents` says of them."""

from pathlib import Path

import pytest

from benchmark.agents.adapters import BUILT_IN as KINDS
from benchmark.agents.adapters import adapter_of
from benchmark.agents.adapters.protocol import Adapter
from benchmark.agents.command import CommandAgent
from benchmark.agents.gateway.ledger import Prices
from benchmark.agents.install import install
from benchmark.agents.profiles import parse_agent, profile_names
from benchmark.agents.program import ProgramAgent
from benchmark.agents.programs import read_recipe, recipe_of
from benchmark.cli import main
from benchmark.errors import SetupError, UsageError
from benchmark.progress import QUIET
from benchmark.trials import TrialId

REPOSITORY = Path(__file__).parents[2]
EVERY_KEY = """
[mine]
kind = "codex"
model = "gpt-x"
effort = "high"
base_url = "https://models.example.com/v1"
key = "MY_MODELS_KEY"
arguments = ["--enable", "x"]
env = ["LANGUAGE"]
program = ["/opt/mine/codex"]
read = ["tools"]
network = "all"
feedback = "screenshot"
timeout_sec = 900
max_turns = 40
max_cost_usd = 2.5
prices = [1.25, 10, 0.125]
memory_mb = 4096
disk_mb = 2000
disk_files = 10000
stall_sec = 60
outage_sec = 120
retry_sec = 5
aliases = { "x" = "gpt-x-2026" }
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, and no configuration of the user's."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path


def program(text: str) -> ProgramAgent:
    agent = parse_agent(text)
    assert isinstance(agent, ProgramAgent)
    return agent


def test_every_kind_that_comes_along_has_a_profile_an_adapter_and_a_recipe(here: Path) -> None:
    assert list(profile_names()) == list(KINDS)
    for kind in KINDS:
        adapter: Adapter = adapter_of(kind)
        agent = program(f"{kind}@some-model")
        assert (agent.name, agent.model, adapter.kind) == (f"{kind}@some-model", "some-model", kind)
        assert adapter.key_variables
        recipe = recipe_of(kind)
        assert recipe is not None
        assert recipe.version
        assert len(agent.version) == 12


def test_no_adapter_is_longer_than_a_page() -> None:
    for place in KINDS.values():
        path = REPOSITORY / f"{place.partition(':')[0].replace('.', '/')}.py"
        assert len(path.read_text().splitlines()) < 150, path.name


def test_a_profile_says_everything(here: Path) -> None:
    (here / "agents.toml").write_text(EVERY_KEY)
    agent = program("mine")
    assert (agent.kind, agent.model, agent.effort, agent.network, agent.feedback) == (
        "codex", "gpt-x", "high", "all", "screenshot",
    )  # fmt: skip
    assert (agent.timeout_sec, agent.max_turns, agent.max_cost_usd) == (900, 40, 2.5)
    assert agent.prices == Prices(1.25, 10, 0.125)
    assert agent.read == (here / "tools",)
    assert program("mine@x").model == "gpt-x-2026"
    assert program("mine@x").version != agent.version


def test_a_profile_of_ours_is_replaced_by_the_user_s_and_that_by_one_of_the_folder(here: Path) -> None:
    assert program("codex").effort == ""
    mine = here / "config/gamecraft-bench"
    mine.mkdir(parents=True)
    (mine / "agents.toml").write_text('[codex]\nkind = "codex"\neffort = "low"\n')
    assert program("codex@m").effort == "low"
    (here / "agents.toml").write_text('[codex]\nkind = "codex"\neffort = "high"\n')
    assert program("codex@m").effort == "high"


def test_a_model_s_name_makes_a_trial_s_name(here: Path) -> None:
    agent = program("opencode@moonshotai/kimi-k2:free")
    assert (agent.name, agent.model) == ("opencode@moonshotai-kimi-k2-free", "moonshotai/kimi-k2:free")
    trial = TrialId("craft/puzzle/x", agent.name, 2)
    assert TrialId.from_label(trial.label) == trial


def test_a_command_may_stand_among_profiles(here: Path) -> None:
    (here / "agents.toml").write_text('[mine]\ncommand = "run-me"\n')
    agent = parse_agent("mine")
    assert isinstance(agent, CommandAgent)
    assert (agent.name, agent.command) == ("mine", "run-me")


def test_one_file_may_be_one_profile_of_a_program(here: Path) -> None:
    (here / "fast.toml").write_text('kind = "codex"\nmodel = "gpt-x"\n')
    assert (program("fast.toml").name, program("fast.toml").model) == ("fast", "gpt-x")


@pytest.mark.parametrize(
    ("profile", "asked", "message"),
    [
        ('kind = "codx"', "mine", r"agents.toml: mine.kind: agent kind 'codx' is not known"),
        ('kind = "no.such.module:Adapter"', "mine", r"mine.kind: .* cannot be loaded: ModuleNotFoundError"),
        ('kind = "codex"\nefort = "high"', "mine", r"mine.efort: not known"),
        ('kind = "codex"\nmodel = 3', "mine", r"mine.model: 3 is not a str"),
        ('kind = "codex"\nnetwork = true', "mine", r"mine.network: True is not one of model, none, all"),
        ('kind = "codex"\nbase_url = "models.example.com"', "mine", r"mine.base_url: .* is not http"),
        ('kind = "codex"\nbase_url = "https://u:p@models.example.com"', "mine", r"mine.base_url"),
        ('kind = "codex"\nmax_turns = 0', "mine", r"mine.max_turns: 0 is not a whole number"),
        ('kind = "codex"\nmax_cost_usd = "much"', "mine", r"mine.max_cost_usd: 'much' is not a number"),
        ('kind = "codex"\nprices = [1]', "mine", r"mine.prices: \[1\] is not"),
        ('kind = "codex"\nenv = "KEY"', "mine", r"mine.env: a list of texts"),
        ('kind = "codex"\nfeedback = "all"', "mine", r"mine.feedback: 'all' is not one of"),
        ('kind = "codex"\naliases = ["a"]', "mine@a", r"mine.aliases: a table of texts"),
        ('kind = "qwen"', "mine", r"agent mine: which model\?\n  next: --agent mine@MODEL"),
        ('kind = "codex"', "mine@", r"no model is behind @"),
        ('kind = "codex"', "yours", r"'yours' is no agent\n  next: .*mine, claude, codex"),
        ("kind =", "mine", r"agents.toml.*Invalid value"),
    ],
)
def test_a_bad_profile_says_what_and_where(here: Path, profile: str, asked: str, message: str) -> None:
    (here / "agents.toml").write_text(f"[mine]\n{profile}\n")
    with pytest.raises(UsageError, match=message):
        parse_agent(asked)


def test_an_adapter_may_come_from_elsewhere(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "my_adapter.py").write_text(
        "from benchmark.agents.adapters.codex import Codex\n\n\nclass Mine(Codex):\n    kind, version = 'mine', '7'\n"
    )
    monkeypatch.syspath_prepend(str(here))
    (here / "agents.toml").write_text('[mine]\nkind = "my_adapter:Mine"\nmodel = "m"\nprogram = ["true"]\n')
    assert program("mine").adapter.version == "7"


def test_the_list_shows_whether_a_key_is_set_and_never_which(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-planted-000111222")
    monkeypatch.delenv("GEMINI_API_KEY", raising=False)
    monkeypatch.delenv("GOOGLE_API_KEY", raising=False)
    monkeypatch.setenv("GAMECRAFT_CACHE", str(here))
    assert main(["agents"]) == 0
    lines = {line.split()[0].partition("@")[0]: line for line in capsys.readouterr().out.splitlines() if line}
    assert "ANTHROPIC_API_KEY is set" in lines["claude"]
    assert "GEMINI_API_KEY or GOOGLE_API_KEY is not set" in lines["gemini"]
    assert "not here" in lines["gemini"]
    assert "can be installed" in lines["gemini"]
    assert lines.keys() >= {"oracle", "nop", *KINDS}
    assert "planted" not in "".join(lines.values())


def test_the_list_says_what_is_wrong_with_a_profile(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "agents.toml").write_text('[mine]\nkind = "qwen"\nmodle = "m"\n')
    assert main(["agents", "list", "mine", "nop"]) == 0
    _, mine, nop, *_ = capsys.readouterr().out.splitlines()
    assert mine.endswith("agents.toml: mine.modle: not known")
    assert nop.startswith("nop ")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nobody", "'nobody' is no program that is known"),
        ("own", "there is no recipe for 'own'"),
        ("typo", "typo.modle: not known"),
    ],
)
def test_what_cannot_be_installed_is_told_before_anything_is(
    name: str, message: str, here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GAMECRAFT_CACHE", str(here / "cache"))
    (here / "agents.toml").write_text('[own]\ncommand = "true"\n[typo]\nkind = "qwen"\nmodle = "m"\n')
    assert main(["agents", "install", "--quiet", "mini", name]) == 2
    assert message in capsys.readouterr().err
    assert not (here / "cache").exists()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"version": "1", "npm": ["a"], "command": ["x"]}, "npm: 'a' is not pinned"),
        ({"version": "1", "npm": ["a@latest; rm"], "command": ["x"]}, "is not pinned"),
        ({"version": "1", "pypi": ["a>=1"], "command": ["x"]}, "pypi: 'a>=1' is not pinned"),
        ({"version": "1", "command": ["x"]}, "either npm or pypi"),
        ({"npm": ["a@1"], "command": ["x"]}, "version and command are needed"),
        ({"version": "1", "npm": ["a@1"], "command": ["x"], "nod": "1"}, "nod: not known"),
    ],
)
def test_a_recipe_pins_what_it_brings(data: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_recipe("x", data, "x.toml")


def test_a_package_that_cannot_be_had_leaves_nothing(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAMECRAFT_CACHE", str(here / "cache"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    recipe = read_recipe("x", {"version": "1", "pypi": ["no-such-package==1"], "command": ["{folder}/bin/x"]}, "x.toml")
    with pytest.raises(SetupError, match=r"x could not be installed: .*no-such-package"):
        install(recipe, QUIET)
    assert not recipe.folder.exists()


def test_a_python_that_is_not_here_is_told_clearly(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAMECRAFT_CACHE", str(here / "cache"))
    data = {"version": "1", "pypi": ["a==1"], "python": ["3.99"], "command": ["{folder}/bin/x"]}
    with pytest.raises(
        SetupError, match=r"x needs Python 3\.99, and this machine has none\n  next: install python3\.99"
    ):
        install(read_recipe("x", data, "x.toml"), QUIET)
