"""`mabligop serve` with a Postgres of its own, one of whose processes is killed while clients act."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import httpx
import psutil
import pytest

from tests.command.service import Service, create_game, holdings
from tests.store.postgres.services import until, watchdog

pytestmark = pytest.mark.xdist_group("command")


@pytest.mark.soak
def test_a_killed_watchdog_costs_a_pause_and_no_payment(tmp_path: Path) -> None:
    """Ana pays ₦1 again and again, while the watchdog is killed. She is asked to wait, and no payment is lost."""
    service = Service("--no-demo", "--home", tmp_path / "home")
    try:
        with service.client() as client:
            game, tokens = create_game(client)
        numbers: list[int] = []
        refused: list[httpx.Response] = []

        def pay() -> None:
            """Pay until a payment was refused, and then until ten were accepted again."""
            with service.client(tokens["ana"]) as ana:
                after = 0
                while after < 10:
                    answer = ana.post(
                        f"/api/v1/games/{game}/actions",
                        json={"kind": "transfer_money", "params": {"to": "bob", "amount": 1}},
                        headers={"Idempotency-Key": f"payment-{len(numbers)}"},
                    )
                    if answer.status_code == 201 or answer.headers.get("Idempotent-Replayed"):
                        numbers.append(answer.json()["number"])
                        after += bool(refused)
                    else:
                        refused.append(answer)

        with ThreadPoolExecutor(1) as threads:
            paying = threads.submit(pay)
            until(lambda: len(numbers) >= 10 or paying.done())
            first = watchdog(service.pid)
            assert first is not None
            os.kill(first, signal.SIGKILL)
            paying.result(timeout=300)
        assert {answer.status_code for answer in refused} == {503}
        assert all(int(answer.headers["Retry-After"]) > 0 for answer in refused)
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        with service.client() as client:
            held = holdings(client, game, tokens["banker"])
            assert held["player:bob"]["NGD"] == 1650 + len(numbers)
            assert client.get("/readyz").status_code == 200
    finally:
        assert service.stop() == 0


@pytest.mark.soak
def test_a_worker_that_is_killed_again_and_again_is_replaced(tmp_path: Path) -> None:
    """Three times a worker is killed as soon as it answers. The other worker goes on, and so does the service."""
    service = Service("--no-demo", "--workers", "2", "--home", tmp_path / "home")

    def workers() -> list[psutil.Process]:
        found: list[psutil.Process] = []
        for one in psutil.Process(service.pid).children(recursive=True):
            with suppress(psutil.Error):  # It has just ended.
                if any("multiprocessing.spawn" in word for word in one.cmdline()):
                    found.append(one)
        return found

    try:
        first, *others = workers()
        for _ in range(3):
            before = {one.pid for one in workers()}
            first.kill()
            until(lambda before=before: len(workers()) == 2 and {one.pid for one in workers()} != before)
            (first,) = [one for one in workers() if one.pid not in before]
        assert others[0].is_running()
        with service.client() as client:
            # On a busy machine the other worker may not listen yet when the first one answers and is killed.
            until(lambda: _answers(client))
    finally:
        assert service.stop() == 0


def _answers(client: httpx.Client) -> bool:
    """Whether the service takes a connection and is ready."""
    with suppress(httpx.TransportError):
        return client.get("/readyz").status_code == 200
    return False
