"""The addresses that phones in the same network are given, and how the service is started for them."""

import socket
import ssl
import subprocess
from pathlib import Path

import httpx
import pytest

from api.command.running import addresses
from tests.command.service import Service, create_game, here

EVERYWHERE = "0.0.0.0"  # noqa: S104 - all interfaces are meant
_PROJECT = Path(__file__).parents[2]

pytestmark = pytest.mark.xdist_group("command")


def test_an_address_of_all_interfaces_is_reached_by_that_of_the_default_route(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(addresses, "address_in_network", lambda _: "192.168.1.20")
    assert addresses.reachable_at(EVERYWHERE) == "192.168.1.20"
    assert addresses.reachable_at("10.0.0.7") == "10.0.0.7"
    assert addresses.reachable_at("127.0.0.1") is addresses.reachable_at("::1") is None
    assert addresses.url_of("https", "2001:db8::7", 8000) == "https://[2001:db8::7]:8000"


def test_the_address_in_the_network_is_one_of_this_machine() -> None:
    """Or there is none: then nobody in the network reaches it."""
    found = addresses.address_in_network()
    with socket.socket() as probe:
        probe.bind((found or "127.0.0.1", 0))
        assert found in {probe.getsockname()[0], None}


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://table.example/", "table.example"),
        ("http://192.168.1.20:8000", "192.168.1.20"),
        ("http://[2001:db8::7]:8000", "[2001:db8::7]"),
    ],
)
def test_a_configured_address(monkeypatch: pytest.MonkeyPatch, url: str, host: str) -> None:
    monkeypatch.setenv("MABLIGOP_PUBLIC_URL", url)
    assert addresses.configured_url() == url.rstrip("/")
    assert addresses.host_of(url) == host


@pytest.mark.parametrize(
    "url", ["table.example", "ftp://table.example", "https://", "https://a b", "http://x?y=1"]
)
def test_a_configured_address_that_is_none_is_said(url: str) -> None:
    refused = here("serve", DATABASE_URL="postgresql://127.0.0.1:1/nothing", MABLIGOP_PUBLIC_URL=url)
    assert refused.returncode == 2
    assert "MABLIGOP_PUBLIC_URL" in refused.stderr


def test_phones_join_over_https(database_url: str, tmp_path: Path) -> None:
    """The service listens on all interfaces, and says that it answers under every name there.

    The link that Ana gets leads to this machine's address.
    """
    service = Service(
        "--no-demo",
        "--host",
        EVERYWHERE,
        "--https",
        MABLIGOP_HOME=str(tmp_path),
        DATABASE_URL=database_url,
    )
    try:
        address = addresses.address_in_network() or "127.0.0.1"
        port = service.url.rpartition(":")[2]
        phone = ssl.create_default_context(cafile=tmp_path / "tls" / "authority.pem")
        with httpx.Client(
            base_url=f"https://{address}:{port}", verify=phone, trust_env=False, timeout=300
        ) as client:
            assert client.get("/readyz", headers={"Host": "anything.example"}).status_code == 200
            game, tokens = create_game(client)
            offered = client.get("/ca.crt")
            assert offered.headers["Content-Type"] == "application/x-x509-ca-cert"
            assert offered.content == (tmp_path / "tls" / "authority.pem").read_bytes()
            # The banker sits at the machine itself.
            invitation = client.post(
                f"https://localhost:{port}/api/v1/games/{game}/invitations",
                json={"seat": "ana"},
                headers={"Authorization": f"Bearer {tokens['banker']}"},
            ).json()
            assert invitation["link"] == f"https://{address}:{port}/join#{invitation['code']}"
            joined = client.post("/api/v1/join", json={"code": invitation["code"]}).json()
            me = client.get("/api/v1/me", headers={"Authorization": f"Bearer {joined['token']}"}).json()
            assert (me["game"], me["seat"]) == (game, "ana")
        with pytest.raises(httpx.TransportError):
            httpx.get(f"http://{address}:{port}/healthz", trust_env=False)
    finally:
        assert service.stop() == 0
    assert any("MABLIGOP_HOSTS" in line for line in service.said)


def test_a_certificate_needs_its_key(tmp_path: Path) -> None:
    file = tmp_path / "file.pem"
    file.write_text("nothing")
    for options in (["--certificate", file], ["--certificate", file, "--key", file, "--https"]):
        refused = here("serve", *options)
        assert refused.returncode == 2
        assert "--certificate and --key" in refused.stderr
    refused = here("serve", "--certificate", file, "--key", file, DATABASE_URL="postgresql://127.0.0.1:1/nothing")
    assert refused.returncode == 2
    assert "no certificate with its key" in refused.stderr


@pytest.mark.parametrize(
    ("asked", "options"),
    [
        (["run"], []),
        (["run", "--", "--host", EVERYWHERE], ["--host", EVERYWHERE]),
        (["run", "--", "--https", "--port=8001"], ["--https", "--port=8001"]),
        (["run", f"HOST={EVERYWHERE}", "PORT=80", "HTTPS=1"], ["--host", EVERYWHERE, "--port", "80", "--https"]),
    ],
)
def test_make_passes_options_to_the_service(asked: list[str], options: list[str]) -> None:
    """Make is only asked what it would run. Some shells have a HOST of their own, which does not count."""
    dry = subprocess.run(
        ["make", "--dry-run", "READY=", *asked],
        cwd=_PROJECT,
        env={"PATH": "/usr/bin:/bin", "HOST": "my-machine"},
        capture_output=True,
        text=True,
        check=True,
    )
    # Before it, another make installs what is missing. After it come those options that make takes for targets.
    (started,) = (line for line in dry.stdout.splitlines() if " serve " in line)
    assert started.split() == [
        "PYTHONDONTWRITEBYTECODE=",
        ".venv/bin/mabligop",
        "serve",
        "--home",
        ".mabligop",
        *options,
    ]
