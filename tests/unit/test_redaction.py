"""No text leaves with a secret in it, and nothing but secrets is replaced."""

import base64
import html
import json
import os
import re
import sys
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.agents.command import CommandAgent, _log
from benchmark.cli import main
from benchmark.errors import BenchmarkError
from benchmark.files import write_json, write_whole
from benchmark.redaction import LogRedactor, redact, redact_data
from benchmark.results.store import RunStore
from benchmark.trials import TrialRecord

SECRET = 'sk-"quoted"/<and>+&more'

QUOTED = quote(SECRET, safe="")


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", SECRET)


FORMS = {
    "as it is": SECRET,
    "in JSON": json.dumps(SECRET),
    "in JSON, slashes escaped": json.dumps(SECRET).replace("/", "\\/"),
    "in an address": f"https://host/?key={QUOTED}",
    "in a path": f"https://host/{quote(SECRET)}/x",
    "in an address, small letters": f"https://host/?key={re.sub('%..', lambda hit: hit[0].lower(), QUOTED)}",
    "in HTML": f"<p>{html.escape(SECRET)}</p>",
    "in base64": base64.b64encode(SECRET.encode()).decode(),
    "in the midst of base64": base64.b64encode(f"me:{SECRET}\n".encode()).decode(),
    "in base64 for addresses": base64.urlsafe_b64encode(f"x{SECRET}>>>".encode()).decode(),
    "in hexadecimal": SECRET.encode().hex(),
    "in Python": repr({"key": SECRET}),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_usual_form_of_a_secret_is_replaced(form: str) -> None:
    text = redact(f"before {FORMS[form]} after")
    assert text.startswith("before ")
    assert text.endswith(" after")
    assert "[redacted SOME_API_KEY]" in text
    assert SECRET[3:9] not in text
    assert base64.b64encode(SECRET.encode()).decode()[4:16] not in text


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        ("OPENAI_API_KEY", True), ("HF_TOKEN", True), ("github_token", True), ("AWS_SECRET_ACCESS_KEY", True),
        ("DB_PASSWORD", True), ("MY_APIKEY", True), ("SSH_PRIVATE_KEY", True), ("NPM_AUTH", True), ("GH_PAT", True),
        ("GOOGLE_CREDENTIALS", True), ("MONKEY", False), ("KEYBOARD", False), ("TOKENIZERS_PARALLELISM", False),
        ("PATH_LIKE", False), ("LANG", False), ("XAUTHORITY", False), ("PWD", False),
    ],
)  # fmt: skip
def test_a_variable_is_secret_by_its_name(name: str, secret: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "value-of-a-variable")
    assert redact("value-of-a-variable") == (f"[redacted {name}]" if secret else "value-of-a-variable")


def test_a_word_is_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "dummy")
    monkeypatch.setenv("HF_TOKEN", "x")
    monkeypatch.setenv("OTHER_KEY", "")
    assert redact("a dummy text") == "a dummy text"


def test_a_path_to_a_key_is_no_secret(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GOOGLE_CREDENTIALS", str(tmp_path))
    assert redact(f"{tmp_path}/run.json") == f"{tmp_path}/run.json"


def test_the_password_in_an_address_is_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://me:my-password@proxy:3128")
    assert redact("via me:my-password@proxy") == "via me:[redacted HTTPS_PROXY]@proxy"


def test_each_line_of_a_private_key_is_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEPLOY_KEY", "-----BEGIN KEY-----\nMIGHAgEAMBMGByqGSM49\nAgEGCCqGSM49AwEHBG0w\n-----END-----")
    assert redact("a MIGHAgEAMBMGByqGSM49 b") == "a [redacted DEPLOY_KEY] b"
    assert redact("-----BEGIN KEY-----") == "-----BEGIN KEY-----"


def test_numbers_stay_numbers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PIN_TOKEN", "33333333")
    data = {"score": 1 / 3, "tokens": 33333333, "said": "it is 33333333", "33333333": [True, None]}
    kept = redact_data(data)
    assert kept["score"] == 1 / 3
    assert kept["tokens"] == 33333333
    assert kept["said"] == "it is [redacted PIN_TOKEN]"
    assert redact(f"{1 / 3}") == f"{1 / 3}"
    write_json(tmp_path / "a.json", data)
    assert json.loads((tmp_path / "a.json").read_text()) == kept


@pytest.mark.attack("agent: prints its key in pieces", "agent.log has none of it, however its output is read")
@given(data=st.data())
def test_a_log_in_pieces_is_redacted_like_the_whole(data: st.DataObject) -> None:
    parts = st.sampled_from([SECRET, SECRET[:9], SECRET[5:], "sk-", "a\n", "ä", " "])
    text = "".join(data.draw(st.lists(parts, max_size=12))).encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    redactor, written = LogRedactor(), b""
    for begin, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
        written += redactor.feed(text[begin:end])
    assert written + redactor.rest() == redact(text.decode()).encode()


def test_the_log_of_an_agent_is_redacted_and_can_be_watched(tmp_path: Path) -> None:
    with _log(tmp_path / "agent.log") as write:
        write(b"working\n")
        assert (tmp_path / "agent.log").read_bytes() == b"working\n"
        write(b"no line end " + SECRET.encode()[:10])
        write(SECRET.encode()[10:])
        write(b" and sk-")
    assert (tmp_path / "agent.log").read_bytes() == b"working\nno line end [redacted SOME_API_KEY] and sk-"


def test_a_log_of_many_lines_is_quick() -> None:
    redactor = LogRedactor()
    lines = [b"a line of an agent that works and works " * 3 + b"\n"] * 50_000
    began = os.times().user
    assert sum(len(redactor.feed(line)) for line in lines) == sum(map(len, lines))
    assert os.times().user - began < 5


def test_what_is_written_has_no_secrets(tmp_path: Path) -> None:
    record = TrialRecord(
        task="craft/a/b",
        agent="x",
        attempt=1,
        family="a",
        difficulty="easy",
        outcome="void",
        reason=f"HTTP 401: {SECRET}",
        labels={"editor": SECRET},
    )
    store = RunStore(tmp_path)
    store.append(record)
    (read,) = store.history()
    assert read.reason == "HTTP 401: [redacted SOME_API_KEY]"
    assert read == TrialRecord.from_line(read.to_line())
    store.describe({"judges": [SECRET]})
    write_whole(tmp_path / "a.txt", SECRET)
    error = BenchmarkError(f"it said {SECRET}", fix=f"unset {SECRET}")
    everything = "".join(path.read_text() for path in tmp_path.iterdir() if path.is_file())
    assert SECRET[3:] not in f"{everything} {error} {error.message} {error.fix}"
    assert json.dumps(SECRET)[4:-1] not in everything


def _print_and_fail(_: object) -> int:
    print(SECRET)
    raise KeyError(SECRET)


def test_a_command_prints_no_secrets(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["report", SECRET]) == 2
    said = capsys.readouterr()
    assert "there is no run '[redacted SOME_API_KEY]'" in said.err
    monkeypatch.setattr("benchmark.commands.report.run", _print_and_fail)
    assert main(["report", "x"]) == 1
    said = capsys.readouterr()
    assert said.out == "[redacted SOME_API_KEY]\n"
    assert "KeyError" in said.err
    assert SECRET[3:] not in said.err


def test_redaction_changes_no_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    agent = CommandAgent("mine", f"run --key {SECRET}", ("SOME_API_KEY",))
    before = agent.version
    monkeypatch.delenv("SOME_API_KEY")
    assert agent.version == before
    assert sys.modules["benchmark.redaction"].redact(SECRET) == SECRET
