"""HTTPS at home: an authority that stays, and a certificate that follows the addresses of the machine."""

from __future__ import annotations

import os
import ssl
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from api.command.running.certificates import at_home, configured_certificate, fingerprint, trusting
from api.command.terminal.failures import BadInput

EVENING = datetime.now(UTC)
AT_HOME = ("192.168.1.20", "table.local", "localhost", "127.0.0.1")


def shaken_hands(server: ssl.SSLContext, client: ssl.SSLContext, name: str) -> None:
    """Shake hands over TLS (RFC 8446) in memory. Raises ssl.SSLError when the client does not trust the server."""
    to_client, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = [
        client.wrap_bio(to_client, to_server, server_hostname=name),
        server.wrap_bio(to_server, to_client, server_side=True),
    ]
    waiting = True
    while waiting:
        waiting = False
        for end in ends:
            try:
                end.do_handshake()
            except ssl.SSLWantReadError:
                waiting = True


def trusted(folder: Path, name: str, *, authority: Path | None = None) -> bool:
    """Whether a phone that trusts the authority, by default the folder's, trusts the service under this name."""
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(folder / "certificate.pem", folder / "key.pem")
    client = ssl.create_default_context(cafile=authority or folder / "authority.pem")
    client.verify_flags |= ssl.VERIFY_X509_STRICT  # The default from Python 3.13 on.
    try:
        shaken_hands(server, client, name)
    except ssl.SSLCertVerificationError:
        return False
    return True


def test_a_phone_that_trusts_the_authority_trusts_the_service(tmp_path: Path) -> None:
    served = at_home(tmp_path / "tls", AT_HOME)
    assert served.left_out == ()
    for name in AT_HOME:
        assert trusted(tmp_path / "tls", name), name
    assert not trusted(tmp_path / "tls", "192.168.1.21")
    assert served.authority is not None
    assert len(fingerprint(served.authority).split(":")) == 32


def test_nobody_else_reads_the_keys(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        at_home(tmp_path / "tls", AT_HOME)
    finally:
        os.umask(before)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "tls").iterdir()}
    assert (modes["authority-key.pem"], modes["key.pem"]) == (0o600, 0o600)
    assert stat.S_IMODE((tmp_path / "tls").stat().st_mode) == 0o700


def test_a_restart_changes_nothing(tmp_path: Path) -> None:
    at_home(tmp_path, AT_HOME)
    first = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    at_home(tmp_path, AT_HOME, at=EVENING + timedelta(days=360))
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == first


def test_another_address_gets_another_certificate_of_the_same_authority(tmp_path: Path) -> None:
    """The router gave the machine another address. The phones need not trust anything anew."""
    at_home(tmp_path, AT_HOME)
    first = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    at_home(tmp_path, ("10.0.0.7", *AT_HOME[1:]))
    changed = {path.name for path in tmp_path.iterdir() if path.read_bytes() != first[path.name]}
    assert changed == {"certificate.pem", "key.pem"}
    assert trusted(tmp_path, "10.0.0.7")
    assert not trusted(tmp_path, "192.168.1.20")


def test_a_certificate_is_renewed_before_it_expires(tmp_path: Path) -> None:
    at_home(tmp_path, AT_HOME)
    authority, certificate = (tmp_path / name for name in ("authority.pem", "certificate.pem"))
    first = authority.read_bytes(), certificate.read_bytes()
    at_home(tmp_path, AT_HOME, at=EVENING + timedelta(days=370))
    assert authority.read_bytes() == first[0]
    assert certificate.read_bytes() != first[1]
    at_home(tmp_path, AT_HOME, at=EVENING + timedelta(days=3650))
    assert authority.read_bytes() != first[0]


def test_what_is_damaged_is_made_again(tmp_path: Path) -> None:
    at_home(tmp_path, AT_HOME)
    (tmp_path / "key.pem").write_text("scribbles")
    at_home(tmp_path, AT_HOME)
    assert trusted(tmp_path, "localhost")
    (tmp_path / "authority-key.pem").unlink()
    at_home(tmp_path, AT_HOME)
    assert trusted(tmp_path, "localhost")


def test_the_authority_vouches_for_no_site_of_the_internet(tmp_path: Path) -> None:
    """Who trusts it need not fear that a stolen key opens a bank. What it may not vouch for is told."""
    assert at_home(tmp_path, ("bank.example", *AT_HOME)).left_out == ()  # This machine's own name at that time.
    at_home(tmp_path / "other", AT_HOME)
    served = at_home(tmp_path / "other", ("bank.example", "203.0.113.9", *AT_HOME))
    assert served.left_out == ("bank.example", "203.0.113.9")
    assert trusted(tmp_path / "other", "localhost")


def test_the_service_itself_knows_its_certificate_by_any_name(tmp_path: Path) -> None:
    """A certificate for table.local is shown at 127.0.0.1, too. Another certificate is not trusted."""
    served, other = at_home(tmp_path / "one", ["table.local"]), at_home(tmp_path / "other", ["table.local"])
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(served.certificate, served.key)
    shaken_hands(server, trusting(served), "127.0.0.1")
    with pytest.raises(ssl.SSLCertVerificationError):
        shaken_hands(server, trusting(other), "127.0.0.1")


def test_a_certificate_without_its_key_is_refused(tmp_path: Path) -> None:
    one, other = at_home(tmp_path / "one", ["localhost"]), at_home(tmp_path / "other", ["localhost"])
    assert configured_certificate(one.certificate, one.key) == one._replace(authority=None)
    for certificate, key in ((one.certificate, other.key), (one.key, one.certificate)):
        with pytest.raises(BadInput, match="no certificate with its key"):
            configured_certificate(certificate, key)
