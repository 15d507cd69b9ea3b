"""The server over real HTTP: who is answered, who is not, and that nothing is written for those who are not."""

import json
import shutil
import socket
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from benchmark.craft.review.address import Address, new_address, remember, remembered
from benchmark.craft.review.ledger import Ledger
from benchmark.craft.review.web import MAX_BODY_BYTES
from benchmark.results.store import RunStore
from tests.review.sample_run import AGENTS, ITEMS, record
from tests.review.serving import Client, serving


@pytest.fixture
def client(store: RunStore) -> Iterator[Client]:
    with serving(store) as running:
        yield running


def test_it_listens_on_the_loopback_only(client: Client) -> None:
    assert client.server.server_address[0] == "127.0.0.1"
    assert len(client.server.token) >= 43  # 256 bits


@pytest.mark.parametrize("target", ["/", "//", "/alive", "/x/alive", "/{half}/alive", "/{token}x/alive", "/%ff/", "*"])
def test_no_answer_without_the_secret(client: Client, target: str) -> None:
    token = client.server.token.decode()
    reply = client.ask("GET", target.format(half=token[:20], token=token))
    assert reply.status == 403
    assert token.encode() not in reply.body


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "", "127.0.0.2:{port}"]
)
def test_no_answer_under_another_name(client: Client, host: str) -> None:
    assert client.get("alive", Host=host.format(port=client.server.port)).status == 403
    assert client.get("alive", Host=f"localhost:{client.server.port}").status == 200


def test_every_answer_forbids_foreign_code_frames_and_referrers(client: Client) -> None:
    for path in ("", "as/ann/results", f"as/ann/trials/{client.key()}", "static/review.js", "nothing"):
        headers = client.get(path).headers
        policy = headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert "Access-Control-Allow-Origin" not in headers
    page = client.get(f"as/ann/trials/{client.key()}").body
    assert b"<script>" not in page
    assert b" style=" not in page
    assert b" onclick" not in page


@pytest.mark.parametrize(
    "path",
    [
        "static/../routes.py", "static/%2e%2e/routes.py", "static/..%2froutes.py", "static//etc/passwd",
        "../trials.jsonl", "media/{key}/1/../../gate.json", "media/{key}/1/frames/../evidence.json",
        "media/{key}/1/evidence.json",
        "media/{key}/1/frames/00000.jpg/..", "media/{key}/0/video.mp4", "media/{key}/2/video.mp4", "media/{key}/1/",
        "media/{key}/1/frames/99999.jpg", "media/0123456789abcdef/1/video.mp4", "media/../1/video.mp4",
        "as/ann/trials/0123456789abcdef", "as/ann/trials/../../x", "as/ann/nothing", "trials.jsonl", "static/",
        "media/{key}/1/video.mp4%00.jpg", "as/ann/trials/{key}/judge/", "run.json",
    ],
)  # fmt: skip
def test_no_address_leads_out_of_what_is_listed(client: Client, path: str) -> None:
    assert client.get(path.format(key=client.key())).status == 404


def test_links_in_a_run_are_not_followed(client: Client, tmp_path: Path) -> None:
    secret = tmp_path / "secret.jpg"
    secret.write_bytes(b"\xff\xd8secret\xff\xd9")
    demo = client.store.trial_folder(record(AGENTS[0]).id) / "evidence" / f"01_{AGENTS[0]}"
    key = client.key()
    assert client.get(f"media/{key}/1/frames/00030.jpg").status == 200
    # a link that is put there after the evidence was read, and one further up
    still = demo / "frames/00015.jpg"
    still.unlink()
    still.symlink_to(secret)
    assert client.get(f"media/{key}/1/frames/00015.jpg").status == 404
    (demo / "frames").rename(tmp_path / "frames")
    (demo / "frames").symlink_to(tmp_path / "frames")
    assert client.get(f"media/{key}/1/frames/00030.jpg").status == 404


def test_films_are_sent_in_the_parts_that_seeking_asks_for(client: Client) -> None:
    path = f"media/{client.key()}/1/video.mp4"
    whole = client.get(path)
    assert whole.status == 200
    assert whole.headers["Content-Type"] == "video/mp4"
    size = len(whole.body)
    for asked, first, last in (
        ("bytes=0-9", 0, 9), ("bytes=100-", 100, size - 1), ("bytes=-7", size - 7, size - 1),
        (f"bytes=5-{size * 2}", 5, size - 1), (f"bytes=-{size * 2}", 0, size - 1),
    ):  # fmt: skip
        part = client.get(path, Range=asked)
        assert part.status == 206
        assert part.headers["Content-Range"] == f"bytes {first}-{last}/{size}"
        assert part.body == whole.body[first : last + 1]
    for asked in (f"bytes={size}-", "bytes=9-5", "bytes=-0", "bytes=-"):
        refused = client.get(path, Range=asked)
        assert refused.status == 416
        assert refused.headers["Content-Range"] == f"bytes */{size}"
    assert client.get(path, Range="bytes=0-1,3-4").body == whole.body  # several at once are not offered
    head = client.ask("HEAD", client.root + path)
    assert (head.status, head.body, head.headers["Content-Length"]) == (200, b"", str(size))


def test_a_mark_is_saved_and_shown_again(client: Client) -> None:
    assert client.post("as/ann/marks", client.mark(note="süß 😀")).status == 200
    assert client.post("as/ann/marks", client.mark(item=None, score=None, note="fine")).status == 200
    assert client.written == ["ann.jsonl"]
    case = client.routes.queue.case(client.key())
    assert case is not None
    marks = case.marks(client.routes.ledger.read("ann"))
    assert (marks["M1"].score, marks["M1"].note, marks[None].note) == (0.5, "süß 😀", "fine")
    assert "s\\u00fc\\u00df" in client.get(f"as/ann/trials/{client.key()}").body.decode()


@pytest.mark.parametrize(
    ("changes", "status", "said"),
    [
        ({"score": float("nan")}, 400, "not a number from 0 to 1"),
        ({"score": float("inf")}, 400, "not a number from 0 to 1"),
        ({"score": 1.01}, 400, "not a number from 0 to 1"),
        ({"score": -0.5}, 400, "not a number from 0 to 1"),
        ({"score": "1"}, 400, "not a number from 0 to 1"),
        ({"score": True}, 400, "not a number from 0 to 1"),
        ({"item": "M9"}, 400, "not in this trial's rubric"),
        ({"item": ["M1"]}, 400, "not in this trial's rubric"),
        ({"item": None}, 400, "a trial as a whole has none"),
        ({"note": None}, 400, "a text of at most"),
        ({"note": "x" * 4001}, 400, "a text of at most"),
        ({"trial": "0123456789abcdef"}, 404, "no such trial"),
        ({"trial": "ü"}, 404, "no such trial"),
        ({"trial": 7}, 404, "no such trial"),
    ],
)
def test_marks_that_cannot_be_are_refused(client: Client, changes: dict[str, object], status: int, said: str) -> None:
    reply = client.post("as/ann/marks", client.mark(**changes))
    assert reply.status == status
    assert said in reply.error
    assert client.written == []


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'"x"', b"\xff\xfe", b"[" * 60_000])
def test_what_is_no_json_object_is_refused(client: Client, body: bytes) -> None:
    assert client.post("as/ann/marks", body).status == 400
    assert client.written == []


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": ""}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Host": "evil.example"}, 403),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
        ({"Content-Length": "-1"}, 411),
        ({"Content-Length": "x"}, 411),
        ({"Transfer-Encoding": "chunked"}, 411),
        ({"Content-Length": str(MAX_BODY_BYTES + 1)}, 413),
        ({"Content-Length": "9" * 30}, 413),
    ],
)
def test_changes_from_elsewhere_or_of_any_size_are_refused(
    client: Client, headers: dict[str, str], status: int
) -> None:
    assert client.post("as/ann/marks", client.mark(), **headers).status == status
    assert client.ask("POST", "/wrong/as/ann/marks", b"{}", Origin=f"http://{client.host}").status == 403
    assert client.written == []


@pytest.mark.parametrize("name", ["..", ".hidden", "-x", "a" * 65])
def test_names_that_are_no_reviewers_are_refused(client: Client, name: str) -> None:
    assert client.post(f"as/{name}/marks", client.mark()).status == 400
    assert client.get(f"as/{name}/results").status == 400
    assert client.post("as/a%2fb/marks", client.mark()).status == 404
    assert client.written == []


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_are_refused(client: Client, method: str) -> None:
    assert client.ask(method, client.root).status == 405


def test_reading_writes_nothing(client: Client) -> None:
    trial = f"as/ann/trials/{client.key()}"
    for path in ("", "as/ann/", "as/ann/results", trial, f"{trial}/judge"):
        client.get(path)
    assert client.written == []


def score_all(client: Client, reviewer: str, agent: str, score: float = 0.5) -> None:
    for item in ITEMS:
        change = client.mark(trial=client.key(agent), item=item, score=score)
        assert client.post(f"as/{reviewer}/marks", change).status == 200


def test_the_judge_is_not_heard_before_the_reviewer_has_finished(client: Client) -> None:
    path = f"as/ann/trials/{client.key()}"
    client.post("as/ann/marks", client.mark())
    assert client.get(f"{path}/judge").status == 403
    assert b"shows M2" not in client.get(path).body  # the judge's reason
    score_all(client, "ann", AGENTS[0])
    said = json.loads(client.get(f"{path}/judge").body)
    assert said["items"]["M2"] == {"score": 0.5, "reason": "zebrafish shows M2"}
    # another reviewer still hears nothing, and neither does ann of the other trial
    assert client.get(f"as/bob/trials/{client.key()}/judge").status == 403
    score_all(client, "bob", AGENTS[1])
    results = client.get("as/ann/results").body.decode()
    assert "Tiny Switch, zebrafish" in results
    assert "Tiny Switch, quokka" not in results


def test_going_on_leads_to_the_first_open_trial_and_then_to_the_results(client: Client) -> None:
    order = [case.record.agent for case in client.routes.queue.cases]
    assert client.get("as/ann/").headers["Location"] == f"trials/{client.key(order[0])}"
    score_all(client, "ann", order[0])
    assert client.get("as/ann/").headers["Location"] == f"trials/{client.key(order[1])}"
    score_all(client, "ann", order[1])
    assert client.get("as/ann/").headers["Location"] == "results"


def test_blind_no_answer_names_an_agent(store: RunStore) -> None:
    with serving(store, blind=True) as client:
        for agent in AGENTS:
            score_all(client, "ann", agent)
        paths = ["", "alive", "as/ann/", "as/ann/results"]
        for agent in AGENTS:
            key = client.key(agent)
            paths += [f"as/ann/trials/{key}", f"as/ann/trials/{key}/judge", f"media/{key}/1/video.mp4"]
        replies = [client.get(path) for path in paths]
        replies += [client.post("as/ann/export", {}), client.get("nothing"), client.post("as/ann/marks", {})]
        assert [reply.status for reply in replies[-3:]] == [200, 404, 404]
        for path, reply in zip([*paths, "export", "nothing", "marks"], replies, strict=True):
            heard = (reply.body + json.dumps(reply.headers).encode()).lower()
            for agent in AGENTS:
                assert agent.encode() not in heard, path
                assert agent not in path
        assert b"[agent] shows M1" in client.get(f"as/ann/trials/{client.key()}/judge").body
        exported = client.store.folder / "reviews/export/trials.csv"
        assert AGENTS[0] in exported.read_text(encoding="utf-8")  # the files are for those who may know


def test_a_named_reviewer_is_not_asked_for_a_name(store: RunStore) -> None:
    with serving(store, reviewer="ann") as client:
        reply = client.get("")
        assert (reply.status, reply.headers["Location"]) == (303, "as/ann/")


def test_trials_that_end_during_a_review_are_added(client: Client) -> None:
    assert len(client.routes.queue.cases) == 2
    first = client.store.trial_folder(record(AGENTS[0]).id)
    late = replace(record(AGENTS[0]), attempt=2)
    shutil.copytree(first, first.parent / late.id.folder)
    client.store.append(late)
    assert len(client.routes.queue.cases) == 3


def test_a_disk_that_refuses_is_told_and_the_server_goes_on(client: Client, capfd: pytest.CaptureFixture[str]) -> None:
    folder = Ledger(client.store.folder).folder
    folder.write_text("in the way")
    reply = client.post("as/ann/marks", client.mark())
    assert reply.status == 500
    assert "the terminal says why" in reply.error
    folder.unlink()
    assert client.post("as/ann/marks", client.mark()).status == 200
    assert "Not a directory" in capfd.readouterr().err


def test_a_silent_connection_does_not_block_others(client: Client) -> None:
    with socket.create_connection(("127.0.0.1", client.server.port)) as idle:
        idle.sendall(b"GET / HT")
        assert client.get("alive").status == 200


def test_the_address_is_kept_private_and_only_taken_back_if_it_still_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAMECRAFT_CACHE", str(tmp_path / "cache"))
    run = tmp_path / "run"
    assert remembered(run) is None
    address = Address(40_000, new_address().token)
    remember(run, address)
    assert remembered(run) == address
    file = next((tmp_path / "cache/review").iterdir())
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.chmod(0o644)
    assert remembered(run) is None
    file.chmod(0o600)
    file.write_text('{"port": 1, "token": "short"}')
    assert remembered(run) is None
