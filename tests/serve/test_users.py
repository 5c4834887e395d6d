"""A team: who is let in by name and password, what each role may, and what a proxy with TLS asks for."""

import json
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner
from serving import Listener, until

from interagree.cli import main
from interagree.errors import DataError, OptionError
from interagree.serve.users import TRIES, Users, add

FILES = Path(__file__).parents[2] / "docs" / "files"
PASSWORDS = {"lea": "the first password", "dan": "the second password", "lou": "the third password"}
ROLES = {"lea": "lead", "dan": "decide", "lou": "look"}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A file of three, which is copied: scrypt takes its time."""
    path = tmp_path_factory.mktemp("users") / "users.json"
    for name, password in PASSWORDS.items():
        assert add(path, name, password, ROLES[name])
    return path


@pytest.fixture
def users(made, tmp_path):
    path = tmp_path / "users.json"
    path.write_bytes(made.read_bytes())
    return path


@pytest.fixture
def team(users, opened):
    """Somebody of the team by name, who has entered."""

    def of(name, client=None, *, host=None, path=FILES / "posts.csv"):
        client = client or opened(path, users=Users(users), host=host)
        other = client.other()
        answer = other.come(name, PASSWORDS[name])
        assert answer.status == 200, answer.body
        return other

    return of


def test_the_file_holds_no_password_and_is_for_nobody_else(made, users):
    assert stat.S_IMODE(made.stat().st_mode) == 0o600
    text = made.read_text(encoding="utf-8")
    assert not any(password in text for password in PASSWORDS.values())
    assert len({one["salt"] for one in json.loads(text)["users"].values()}) == 3
    team = Users(users)
    assert team.entered("dan", PASSWORDS["dan"]) == ("dan", "decide")
    assert team.entered("dan", PASSWORDS["lea"]) is None
    assert team.entered("nobody", "") is None
    assert add(users, "dan", "another password", "lead") is False
    assert team.entered("dan", PASSWORDS["dan"]) is None
    assert team.entered("dan", "another password") == ("dan", "lead")


@pytest.mark.parametrize(
    ("name", "password", "role"),
    [("", "a long password", "look"), ("x" * 61, "a long password", "look"), (" x", "a long password", "look"),
     ("a\nb", "a long password", "look"), ("x", "short", "look"), ("x", "a long password", "boss")],
)  # fmt: skip
def test_what_is_nobody_is_not_added(tmp_path, name, password, role):
    with pytest.raises(OptionError):
        add(tmp_path / "users.json", name, password, role)
    assert not [*tmp_path.iterdir()]


BOSS = '{"format": "interagree users", "users": {"a": {"role": "boss"}}}'


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "x", "users": {}}', BOSS])
def test_another_file_is_refused_and_lets_nobody_in(tmp_path, users, text):
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(DataError, match="not a file of users"):
        Users(path)
    with pytest.raises(DataError, match="--add-user NAME"):
        Users(tmp_path / "none.json")
    team = Users(users)
    users.write_text(text)
    assert team.person("lea") is None  # nobody, rather than those of before
    with pytest.raises(DataError, match="not a file of users"):
        team.entered("lea", PASSWORDS["lea"])


def test_nobody_is_let_in_without_a_name(users, opened):
    client = opened(FILES / "posts.csv", users=Users(users))
    assert client.guard.token is None
    assert client.enter("").status == 403  # there is no token
    answer = client.get("/state.json")
    assert (answer.status, answer.json["closed"]) == (403, "enter")
    for name, password in (("lea", "wrong"), ("nobody", PASSWORDS["lea"]), ("", "")):
        answer = client.come(name, password)
        assert answer.status == 403
        assert "name or the password is wrong" in answer.json["error"]
        assert "set-cookie" not in answer.headers
    for body in ({}, [], {"name": "lea"}, {"name": 1, "password": 2}, {"name": "lea", "password": "x" * 9_000}):
        assert client.post("/enter.json", body).status == 422
    for headers in (
        {"origin": "http://evil.example"},
        {"content-type": "text/plain"},
        {"sec-fetch-site": "cross-site"},
    ):
        assert client.post("/enter.json", {"name": "lea", "password": PASSWORDS["lea"]}, headers).status in (403, 415)
    assert client.come("lea", PASSWORDS["lea"]).json["role"] == "lead"
    assert client.get("/state.json").json["person"] == {"name": "lea", "role": "lead"}


def test_a_password_is_not_guessed(users, opened):
    client = opened(users=Users(users))
    for _ in range(TRIES):
        assert client.come("dan", "a wrong password").status == 403
    assert client.come("dan", PASSWORDS["dan"]).status == 429
    assert client.come("lea", PASSWORDS["lea"]).status == 200  # others are not kept out


def test_what_each_role_may(team):
    lead = team("lea")
    decider, looker = team("dan", lead), team("lou", lead)
    rows = lead.get("/queue.json", question="value").json["rows"]
    many = {"base": 2**40, "question": "value", "item": "", "fingerprint": ""}
    for number, (person, status) in enumerate([(looker, 403), (decider, 201), (lead, 201)]):
        answer = person.decide("value", rows[number]["item"], "cannot")
        assert answer.status == status
        assert person.get("/export.json").status == 200
        assert person.get("/gold", question="value", to="jsonl").status == 200
    for number, (person, status) in enumerate([(looker, 403), (decider, 403), (lead, 201)]):
        for kind, value in (("rule", {"agree": 4}), ("reasons", ["Slip"]), ("audit", {"size": 5}), ("undo", None)):
            event = many | {"op": f"{kind} of {number} here", "kind": kind, "value": value}
            answer = person.post("/decide.json", event)
            assert answer.status == status, answer.body
            if status == 403:
                named = event | {"item": rows[5]["item"], "op": f"{kind} by {number} there"}
                assert person.post("/decide.json", named).status == 403 or kind == "undo"
    for number, (person, status) in enumerate([(looker, 403), (decider, 403), (lead, 202)]):
        assert person.post("/sample.json", {}).status == status, number
    lead.workspace._thread.join()
    octets = {"content-type": "application/octet-stream"}
    assert decider.post("/upload.json", b"a,b\n", octets, name="a.csv").status == 403
    assert decider.post("/reading.json", {"choice": 0}).status == 403


def test_a_decision_bears_the_name_of_who_came_in(team):
    decider = team("dan")
    key = decider.get("/queue.json", question="value").json["rows"][0]["item"]
    answer = decider.decide("value", key, "cannot", who="lea")
    assert answer.json["event"]["who"] == "dan"


def test_whoever_is_removed_is_let_in_no_more(team, users):
    lead = team("lea")
    decider = team("dan", lead)
    content = json.loads(users.read_text(encoding="utf-8"))
    del content["users"]["dan"]
    content["users"]["lea"]["role"] = "look"
    users.write_text(json.dumps(content))
    assert decider.get("/state.json").status == 403
    assert lead.get("/state.json").json["person"]["role"] == "look"
    assert lead.post("/sample.json", {}).status == 403


def test_whoever_leaves_has_to_come_in_again(team):
    lead = team("lea")
    other = team("dan", lead)
    assert lead.post("/leave.json", {}).status == 200
    assert lead.get("/state.json").status == 403
    assert other.get("/state.json").status == 200


def test_one_way_in_does_not_open_the_other(users, opened, tmp_path):
    """A session of the printed address is none of a team, and the other way round."""
    project = tmp_path / "one.interagree"
    alone = opened(FILES / "posts.csv", project=project)
    alone.project.close()
    named = opened(FILES / "posts.csv", project=project, users=Users(users))
    named.headers |= {name: alone.headers[name] for name in ("cookie", "x-interagree")}
    assert named.get("/state.json").status == 403
    assert named.come("lea", PASSWORDS["lea"]).status == 200
    named.project.close()
    again = opened(FILES / "posts.csv", project=project, enter=False)
    again.headers |= {name: named.headers[name] for name in ("cookie", "x-interagree")}
    assert again.get("/state.json").status == 403


def test_behind_a_proxy_there_is_one_name_and_all_is_encrypted(team):
    lead = team("lea", host="gold.example.org")
    assert lead.guard.addresses() == ["https://gold.example.org/"]
    answer = lead.come("lea", PASSWORDS["lea"])
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("__Host-interagree=")
    assert {"Secure", "HttpOnly", "SameSite=Strict", "Path=/"} <= {part.strip() for part in cookie.split(";")}
    assert lead.get("/state.json").status == 200
    for host in (
        "127.0.0.1:8417",
        "localhost:8417",
        "gold.example.org:80",
        "evil.example",
        "gold.example.org.evil.example",
    ):
        assert lead.ask("/state.json", headers={"host": host}).status == 421
    for origin in ("http://gold.example.org", "https://evil.example", "https://gold.example.org:444", "null", None):
        assert lead.post("/leave.json", {}, {"origin": origin}).status == 403
    assert lead.get("/state.json").status == 200


def test_the_command_adds_people(tmp_path):
    path = tmp_path / "users.json"
    words = ["serve", "--users", str(path), "--add-user", "ann"]
    typed = "a long password\na long password\n"
    done = CliRunner().invoke(main, [*words, "--role", "lead"], input=typed)
    assert done.exit_code == 0, done.output
    assert "ann (lead) was added to" in done.output
    assert "a long password" not in done.output
    assert "was changed in" in CliRunner().invoke(main, words, input=typed).output
    assert Users(path).entered("ann", "a long password") == ("ann", "decide")
    assert CliRunner().invoke(main, words, input="short\nshort\n").exit_code == 2
    for wrong, why in [
        (["--host", "x.example"], "need the file of --users"),
        (["--add-user", "bo"], "need the file of --users"),
        (["--users", str(tmp_path / "none.json")], "--add-user NAME"),
    ]:
        done = CliRunner().invoke(main, ["serve", *wrong, "--no-browser"])
        assert done.exit_code == 2
        assert why in done.output


def test_who_looks_at_the_same_item_is_told(serve, users, tmp_path):
    words = [FILES / "posts.csv", "--users", users, "--project", tmp_path / "w.interagree", "--port", "0"]
    server = serve(*words, enter=False)
    assert server.address == f"http://{server.host}/"
    lea, dan, lou = ({**server.come(name, PASSWORDS[name])} for name in ("lea", "dan", "lou"))
    first = Listener(server, headers=lea, at="?question=value&item=%22p020%22")
    elsewhere = Listener(server, headers=lou, at="?question=value&item=%22p021%22")
    second = Listener(server, headers=dan, at="?question=value&item=%22p020%22")
    until(lambda: ("others", {"names": ["dan"]}) in first.heard)
    until(lambda: ("others", {"names": ["lea"]}) in second.heard)
    second.end()
    until(lambda: first.heard[-1] == ("others", {"names": []}))
    assert not [one for one in elsewhere.heard if one[0] == "others"]
    for one in (first, elsewhere):
        one.end()
