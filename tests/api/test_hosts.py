"""The names under which the service answers."""

from collections.abc import Callable

import pytest
from flask import Flask

from api.rest.admission import hostnames
from api.settings import names_at
from tests.tables.over_http import BASE, problem


def test_a_page_whose_name_points_here_gets_nothing(new_app: Callable[..., Flask]) -> None:
    """DNS rebinding: evil.example resolves to this service, and the browser takes the service for evil.example."""
    with new_app(hosts=("table.example", "*.tables.example")).test_client() as client:

        def asked(host: str, path: str = f"{BASE}/rulebooks") -> int:
            return client.get(path, headers={"Host": host}).status_code

        for host in (
            "table.example",
            "Table.Example:8443",
            "table.example.",
            "a.tables.example",
            "b.a.tables.example",
        ):
            assert asked(host) == 200, host
        for host in ("evil.example", "tables.example", "table.example.evil.example", "eviltables.example", ""):
            assert asked(host) == 421, host
        # A load balancer asks a worker by its address.
        assert asked("10.0.0.7:8000", "/healthz") == 200
        refused = client.get("/nothing", headers={"Host": "evil.example", "Accept-Language": "fr"})
        assert "evil.example" in problem(refused, 421, "wrong-host")["detail"]
        assert refused.headers["Content-Language"] == "fr"


def test_without_names_every_name_is_right(new_app: Callable[..., Flask]) -> None:
    with new_app().test_client() as client:
        assert client.get("/readyz", headers={"Host": "anything.example"}).status_code == 200


@pytest.mark.parametrize(
    ("address", "configured", "names"),
    [
        ("127.0.0.1", (), ("localhost", "127.0.0.1", "[::1]")),
        ("::1", (), ("localhost", "127.0.0.1", "[::1]")),
        ("127.0.0.5", ("table.local",), ("table.local", "localhost", "127.0.0.1", "[::1]", "127.0.0.5")),
        ("0.0.0.0", (), ()),  # noqa: S104 - nothing listens here
        ("::", ("table.example",), ("table.example", "localhost", "127.0.0.1", "[::1]")),
        ("2001:db8::1", ("table.example",), ("table.example", "localhost", "127.0.0.1", "[::1]", "[2001:db8::1]")),
    ],
)
def test_a_private_service_knows_its_names(
    address: str, configured: tuple[str, ...], names: tuple[str, ...]
) -> None:
    """A public one answers under every name until it is told its own."""
    assert names_at(address, configured) == names


def test_links_of_invitations_lead_to_a_name_of_the_service() -> None:
    assert names_at("127.0.0.1", (), ("table.example",)) == ("table.example", "localhost", "127.0.0.1", "[::1]")


def test_names_are_read_as_people_write_them() -> None:
    assert hostnames.read(" Table.example:443, *.tables.example ,,[2001:db8::1]:80") == (
        "table.example",
        "*.tables.example",
        "[2001:db8::1]",
    )
    for wrong in ("https://table.example", "*", "a b", "table.example/path"):
        with pytest.raises(ValueError, match="a host is a name such as"):
            hostnames.read(wrong)
