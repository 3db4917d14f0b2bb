"""`mabligop serve`: started, called, stopped and killed as on a real machine."""

import fcntl
import http.client
import json
import os
import re
import signal
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from tests.command.service import NEW_GAME, Service, create_game, here, holdings, run, sender

pytestmark = pytest.mark.xdist_group("command")


@pytest.fixture(scope="module")
def service(database_url: str) -> Iterator[Service]:
    """A service with two workers, on a database of the tests."""
    running = Service("--no-demo", "--workers", "2", DATABASE_URL=database_url)
    yield running
    assert running.stop() == 0


def postgres_is_gone(home: Path) -> bool:
    """Whether no process of the home's server is left: each of them holds its lock."""
    with (home / "postgres" / "lock").open("rb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def test_it_answers_and_documents_itself(service: Service) -> None:
    with service.client() as client:
        for path in ("/healthz", "/readyz", "/docs", "/openapi.json", "/metrics", "/api/v1/rulebooks/negopoly"):
            assert client.get(path, follow_redirects=True).status_code == 200, path


def test_without_a_demo_the_command_says_so(service: Service) -> None:
    refused = here("demo", "--url", service.url)
    assert (refused.returncode, refused.stderr) == (6, f"Error: The service at {service.url} has no demo\n")


def test_one_connection_carries_many_requests(service: Service) -> None:
    connection = http.client.HTTPConnection(urlsplit(service.url).netloc, timeout=300)
    connection.connect()
    used = connection.sock
    for path in ("/readyz", "/nowhere", "/readyz"):
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        assert answer.version == 11
        assert connection.sock is used, "the server hung up"
    connection.close()


def test_a_body_that_is_too_large_is_refused_in_words(service: Service) -> None:
    with service.client() as client:
        answer = client.post("/api/v1/games", content=b"[" + b"1," * 500_000 + b"1]")
        assert answer.status_code == 413
        assert answer.headers["Content-Type"].startswith("application/problem+json")
        assert client.get("/readyz").status_code == 200


def test_workers_serve_one_game_as_one(service: Service) -> None:
    """Every client has a connection of its own, so the system spreads them over both workers."""
    with service.client() as client:
        game, tokens = create_game(client)

    def pay(seat: str) -> list[object]:
        other = "bob" if seat == "ana" else "ana"
        numbers = []
        for amount in (1, 2, 3):
            with service.client() as client:
                entry = sender(client, game)(tokens[seat], "transfer_money", {"to": other, "amount": amount})
                numbers.append(entry["number"])
                held = holdings(client, game, tokens["banker"])
                assert held["player:ana"]["NGD"] + held["player:bob"]["NGD"] == 3300
        return numbers

    payers = ["ana", "ana", "ana", "bob", "bob", "ana", "bob", "ana"]
    with ThreadPoolExecutor(len(payers)) as pool:
        numbers = sorted(number for of_one in pool.map(pay, payers) for number in of_one)
    assert numbers == list(range(numbers[0], numbers[0] + 3 * len(payers)))
    for _ in range(8):
        with service.client() as client:
            held = holdings(client, game, tokens["banker"])
            # Ana has paid five times 1 + 2 + 3, and Bob three times.
            assert (held["player:ana"]["NGD"], held["player:bob"]["NGD"]) == (1650 - 12, 1650 + 12)


def test_a_port_in_use_is_said(service: Service, database_url: str) -> None:
    port = str(urlsplit(service.url).port)
    refused = run("serve", "--no-demo", "--port", port, DATABASE_URL=database_url)
    assert refused.returncode == 4
    assert f"Port {port} of 127.0.0.1 is in use" in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize("host", ["no.such.host.invalid", "192.0.2.1"])
def test_an_address_of_another_machine_is_refused(database_url: str, host: str) -> None:
    refused = here("serve", "--no-demo", "--host", host, DATABASE_URL=database_url)
    assert refused.returncode == 4
    assert host in refused.stderr


def test_a_home_survives_everything(tmp_path: Path) -> None:
    """A second service, kill -9, a restart, a stop: acknowledged actions are there, and no process is left."""
    home = tmp_path / "a home with spaces"
    service = Service("--no-demo", "--home", home)
    try:
        with service.client() as client:
            game, tokens = create_game(client)
            paid = sender(client, game)(tokens["ana"], "transfer_money", {"to": "bob", "amount": 7})

        second = run("serve", "--no-demo", "--port", "0", "--home", home)
        assert second.returncode == 3
        assert f"already served by process {service.pid}" in second.stderr
        assert "Traceback" not in second.stderr

        unneeded = run("migrate", "--home", home)
        assert unneeded.returncode == 3
        assert "migrates when it starts" in unneeded.stderr
    finally:
        assert service.kill() == -signal.SIGKILL

    service = Service("--no-demo", "--home", home)
    try:
        with service.client(tokens["banker"]) as client:
            found = client.get(f"/api/v1/games/{game}/actions/{paid['number']}").raise_for_status().json()
            assert (found["kind"], found["receipt"]) == ("transfer_money", paid["receipt"])
            assert holdings(client, game, tokens["banker"])["player:bob"]["NGD"] == 1657
    finally:
        assert service.stop() == 0
    assert postgres_is_gone(home)

    applied = run("migrate", "--home", home)
    assert (applied.returncode, applied.stdout) == (0, "The database is up to date.\n")
    assert postgres_is_gone(home)


def test_the_environment_reaches_the_workers_and_ctrl_c_ends_them_in_good_order(database_url: str) -> None:
    service = Service(
        "--no-demo",
        DATABASE_URL=database_url,
        MABLIGOP_CREATION_KEY="open sesame",
        MABLIGOP_CORS_ORIGINS="https://table.example, https://other.example",
    )
    try:
        (environment,) = workers_of(service).values()
        numbers = Path(environment.partition("PROMETHEUS_MULTIPROC_DIR=")[2].partition("\0")[0])
        assert any(numbers.iterdir())
        with service.client() as client:
            assert client.post("/api/v1/games", json=NEW_GAME).status_code == 401
            answer = client.get("/api/v1/rulebooks", headers={"Origin": "https://other.example"})
            assert answer.headers["Access-Control-Allow-Origin"] == "https://other.example"
        with service.client("open sesame") as client:
            assert client.post("/api/v1/games", json=NEW_GAME).status_code == 201
    finally:
        os.killpg(service.pid, signal.SIGINT)  # as Ctrl-C in a terminal does
        assert service.stop(0) == 0
    assert "Traceback" not in "".join(service.said)
    assert "Unexpected" not in "".join(service.said)
    assert not numbers.exists()


@pytest.mark.parametrize(
    ("url", "code", "words"),
    [
        ("mysql://somewhere", 2, "postgresql://"),
        ("postgresql://127.0.0.1:1/nothing", 5, "did not answer"),
    ],
)
def test_a_database_that_cannot_be_used_is_said(url: str, code: int, words: str) -> None:
    for command, start in (("serve", run), ("migrate", here)):
        refused = start(command, DATABASE_URL=url)
        assert refused.returncode == code
        assert words in refused.stderr
        assert "Traceback" not in refused.stderr


def test_the_log_is_one_object_a_line(service: Service) -> None:
    """Away from a terminal every request leaves one line of JSON, found by the name that the caller gave it."""
    with service.client() as client:
        asked = client.get("/api/v1/rulebooks/chess", headers={"X-Request-ID": "evening-7"})
        assert (asked.status_code, asked.headers["X-Request-ID"]) == (404, "evening-7")
    line = json.loads(service.wait_for(r'^(\{.*"evening-7".*\})$'))
    assert (line["route"], line["status"], line["problem"]) == (
        "/api/v1/rulebooks/<rulebook>",
        404,
        "unknown-rulebook",
    )


def workers_of(service: Service) -> dict[int, str]:
    """The processes of the service's workers, and the environment of each."""
    found = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parent = int(status.read_text().rpartition(")")[2].split()[1])
            if parent == service.pid and "spawn_main" in (status.parent / "cmdline").read_text():
                found[int(status.parent.name)] = (status.parent / "environ").read_text()
    return found


def test_the_metrics_are_those_of_all_workers(service: Service) -> None:
    """Whichever worker answers, and whichever was killed: no count is lost, and the dead are not counted."""

    def read(asked: str) -> float:
        for _ in range(100):
            # The threads of a killed worker may hold its socket for a moment, and reset what is sent to it.
            with suppress(httpx.ReadError), service.client() as client:
                found = re.search(rf"^{asked} (\S+)$", client.get("/metrics").text, re.MULTILINE)
                assert found is not None, asked
                return float(found[1])
        raise AssertionError("every connection is reset")

    def until_both_count() -> None:
        for _ in range(3000):
            with suppress(httpx.TransportError):  # The new worker may not answer yet.
                if killed not in workers_of(service) and read("mabligop_workers") == 2:
                    return
            time.sleep(0.1)
        raise AssertionError("there are never two workers")

    killed = 0
    until_both_count()
    before = read("mabligop_actions_appended_total")
    with service.client() as client:
        create_game(client)
    assert {read("mabligop_actions_appended_total") for _ in range(12)} == {before + 6}
    killed = next(iter(workers_of(service)))
    os.kill(killed, signal.SIGKILL)
    until_both_count()
    assert {read("mabligop_actions_appended_total") for _ in range(12)} == {before + 6}


def test_a_level_of_the_log_that_does_not_exist_is_said() -> None:
    refused = here("serve", DATABASE_URL="postgresql://127.0.0.1:1/nothing", MABLIGOP_LOG_LEVEL="loud")
    assert refused.returncode == 2
    assert "one of debug, info, warning, error, not 'loud'" in refused.stderr


@pytest.mark.parametrize(
    "variable",
    ["MABLIGOP_CONNECTIONS", "MABLIGOP_REQUESTS_PER_MINUTE", "MABLIGOP_LOCK_TIMEOUT", "MABLIGOP_BODY_SECONDS"],
)
@pytest.mark.parametrize("number", ["many", "0"])
def test_a_setting_that_makes_no_sense_is_said(variable: str, number: str) -> None:
    refused = here("serve", DATABASE_URL="postgresql://127.0.0.1:1/nothing", **{variable: number})
    assert refused.returncode == 2
    assert f"not {number!r}" in refused.stderr


@pytest.mark.parametrize(
    ("variable", "value"),
    [("MABLIGOP_HOSTS", "https://table.example"), ("MABLIGOP_TRUSTED_PROXIES", "proxy.example")],
)
def test_a_name_or_an_address_that_is_none_is_said(variable: str, value: str) -> None:
    refused = here("serve", DATABASE_URL="postgresql://127.0.0.1:1/nothing", **{variable: value})
    assert refused.returncode == 2
    assert variable in refused.stderr
    assert repr(value) in refused.stderr


def test_a_home_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "postgres").write_text("in the way")
    refused = run("serve", "--home", tmp_path / "home")
    assert refused.returncode == 5
    assert "cannot be used" in refused.stderr


def test_migrate_lists_what_it_applied(new_database: Callable[..., str]) -> None:
    url = new_database(migrated=False)
    first = here("migrate", DATABASE_URL=url)
    assert first.returncode == 0
    assert {"Applied 0001", "Applied 0002"} <= set(first.stdout.splitlines())
    assert here("migrate", DATABASE_URL=url).stdout == "The database is up to date.\n"


def test_a_free_port_is_really_free() -> None:
    from api.supervisor import AddressRefused, free_address

    address, port = free_address("127.0.0.1", 0)
    with socket.create_server((address, port)), pytest.raises(AddressRefused, match="in use"):
        free_address("127.0.0.1", port)
    assert free_address("127.0.0.1", port) == (address, port)
