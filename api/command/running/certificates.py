"""HTTPS at home: the certificates of the service, signed by its own authority.

Browsers install a page, and keep the screen on, only over HTTPS. In a home network no public authority
certifies an address like 192.168.1.20. So the service creates its own authority at the first start, and people
trust the authority once on each phone. The authority stays across restarts. The certificate is renewed if the
addresses change, or before it expires.

The authority may certify only addresses and names of private networks and of this machine (RFC 5280, 4.2.1.10):
a stolen key is useless against any other site.
"""

from __future__ import annotations

import ipaddress
import os
import re
import ssl
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from api.command.terminal.failures import BadInput

FOLDER = "tls"
"""The folder of the authority and the certificate in a data folder."""

_AUTHORITY_DAYS = 3650
_CERTIFICATE_DAYS = 397
"""Phones reject certificates valid for more than 825 days."""
_RENEWED = timedelta(days=30)
"""The time before its end at which a certificate is renewed."""
_SLOW_CLOCK = timedelta(days=1)
"""The largest expected delay of a phone's clock."""

_NETWORKS = (
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "100.64.0.0/10",
    "169.254.0.0/16",
    "127.0.0.0/8",
    "fc00::/7",
    "fe80::/10",
    "::1/128",
)
_DOMAINS = ("localhost", "local", "lan", "home", "internal", "home.arpa")
_NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*")

_Key = ec.EllipticCurvePrivateKey


class Served(NamedTuple):
    """The credentials of the service: the files of the certificate and key, and of its own authority, if any."""

    certificate: Path
    key: Path
    authority: Path | None = None
    left_out: tuple[str, ...] = ()
    """The names and addresses outside the constraints of the authority."""


def configured_certificate(certificate: Path, key: Path) -> Served:
    """Check the certificate and the key in these PEM files. Raises BadInput if they do not match."""
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password="")
    except (ssl.SSLError, OSError) as fault:
        reason = getattr(fault, "reason", None) or getattr(fault, "strerror", None) or fault
        raise BadInput(f"{certificate} and {key} are no certificate with its key in PEM ({reason})") from fault
    return Served(certificate, key)


def at_home(folder: Path, names: Sequence[str], *, at: datetime | None = None) -> Served:
    """Return the certificate of a service with these names and addresses, and its authority, stored in
    `folder`.

    Existing files are used again. Files missing, unfit or about to expire are created. Raises BadInput if the
    folder cannot be used.
    """
    at = at or datetime.now(UTC)
    paths = Served(folder / "certificate.pem", folder / "key.pem", folder / "authority.pem")
    assert paths.authority is not None  # noqa: S101 - see above
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        authority, key = _authority(paths.authority, folder / "authority-key.pem", names, at)
        fit, left_out = _vouched_for(authority, names)
        if not _still_good(paths, authority, fit, at):
            own_key = ec.generate_private_key(ec.SECP256R1())
            certificate = _certificate(own_key.public_key(), authority, key, fit, at)
            _write(paths.key, _private(own_key))
            _write(paths.certificate, certificate.public_bytes(Encoding.PEM))
    except OSError as fault:
        raise BadInput(f"the certificate cannot be kept in {folder}: {fault.strerror or fault}") from fault
    return paths._replace(left_out=tuple(left_out))


def fingerprint(certificate: Path) -> str:
    """Return the SHA-256 fingerprint of a certificate in the notation of devices: AB:CD:…"""
    digest = x509.load_pem_x509_certificate(certificate.read_bytes()).fingerprint(hashes.SHA256())
    return digest.hex(":").upper()


def trusting(served: Served) -> ssl.SSLContext:
    """Build the context for a client on this machine: trust the service's certificate under any name."""
    context = ssl.create_default_context(cafile=served.certificate)
    context.check_hostname = False
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    return context


# The authority --------------------------------------------------------------------------------


def _authority(path: Path, key_path: Path, names: Sequence[str], at: datetime) -> tuple[x509.Certificate, _Key]:
    """Read the authority from these files, or create a new authority if missing, damaged or about to expire."""
    stored = _read(path), _read_key(key_path)
    if stored[0] is not None and stored[1] is not None:
        fits = stored[0].public_key() == stored[1].public_key()
        if fits and at + _RENEWED < stored[0].not_valid_after_utc:
            return stored[0], stored[1]
    key = ec.generate_private_key(ec.SECP256R1())
    host = next((name for name in names if _address(name) is None and name != "localhost"), "this machine")
    subject = x509.Name(
        [
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Mabligop"),
            x509.NameAttribute(NameOID.COMMON_NAME, f"Mabligop at {host}"[:64]),
        ]
    )
    hosts: list[x509.GeneralName] = [
        x509.IPAddress(ipaddress.ip_network(address)) if address is not None else x509.DNSName(name)
        for name, address in ((name, _address(name)) for name in names)
        if address is not None or _NAME.fullmatch(name)
    ]
    permitted: list[x509.GeneralName] = [
        *(x509.DNSName(domain) for domain in _DOMAINS),
        *(x509.IPAddress(ipaddress.ip_network(network)) for network in _NETWORKS),
    ]
    certificate = (
        _built(subject, subject, key.public_key(), at, _AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.NameConstraints(list(dict.fromkeys(permitted + hosts)), None), critical=True)
        .sign(key, hashes.SHA256())
    )
    _write(key_path, _private(key))
    _write(path, certificate.public_bytes(Encoding.PEM), mode=0o644)
    return certificate, key


def _vouched_for(authority: x509.Certificate, names: Iterable[str]) -> tuple[list[str], list[str]]:
    """Split the names and addresses into those permitted to the authority, and the rest."""
    permitted = authority.extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees or ()
    domains = [subtree.value for subtree in permitted if isinstance(subtree, x509.DNSName)]
    ranges = [subtree.value for subtree in permitted if isinstance(subtree, x509.IPAddress)]
    networks = [
        subtree for subtree in ranges if isinstance(subtree, ipaddress.IPv4Network | ipaddress.IPv6Network)
    ]

    def may(name: str) -> bool:
        address = _address(name)
        if address is not None:
            return any(address.version == network.version and address in network for network in networks)
        return _NAME.fullmatch(name) is not None and any(
            name == domain or name.endswith(f".{domain}") for domain in domains
        )

    distinct = list(dict.fromkeys(names))
    return [name for name in distinct if may(name)], [name for name in distinct if not may(name)]


# The certificate ------------------------------------------------------------------------------


def _still_good(paths: Served, authority: x509.Certificate, names: Sequence[str], at: datetime) -> bool:
    """Return True if the certificate is signed by this authority, has these names, and does not expire soon."""
    certificate, key = _read(paths.certificate), _read_key(paths.key)
    if certificate is None or key is None or certificate.public_key() != key.public_key():
        return False
    if not certificate.not_valid_before_utc <= at < certificate.not_valid_after_utc - _RENEWED:
        return False
    try:
        certificate.verify_directly_issued_by(authority)
        named = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (ValueError, TypeError, InvalidSignature, x509.ExtensionNotFound):
        return False
    return list(named) == _alternative(names)


def _certificate(
    public_key: ec.EllipticCurvePublicKey,
    authority: x509.Certificate,
    key: _Key,
    names: Sequence[str],
    at: datetime,
) -> x509.Certificate:
    subject = x509.Name([x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Mabligop")])
    return (
        _built(subject, authority.subject, public_key, at, _CERTIFICATE_DAYS)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(_alternative(names)), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public_key), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(
                authority.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
            ),
            critical=False,
        )
        .sign(key, hashes.SHA256())
    )


def _built(
    subject: x509.Name, issuer: x509.Name, public_key: ec.EllipticCurvePublicKey, at: datetime, days: int
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(public_key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(at - _SLOW_CLOCK)
        .not_valid_after(at + timedelta(days=days) - _SLOW_CLOCK)
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )


def _alternative(names: Iterable[str]) -> list[x509.GeneralName]:
    return [
        x509.DNSName(name) if address is None else x509.IPAddress(address)
        for name, address in ((name, _address(name)) for name in names)
    ]


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


# Files ----------------------------------------------------------------------------------------


def _read(path: Path) -> x509.Certificate | None:
    try:
        return x509.load_pem_x509_certificate(path.read_bytes())
    except (FileNotFoundError, ValueError):
        return None


def _read_key(path: Path) -> _Key | None:
    try:
        key = load_pem_private_key(path.read_bytes(), None)
    except (FileNotFoundError, ValueError, TypeError):
        return None
    return key if isinstance(key, _Key) else None


def _private(key: _Key) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _write(path: Path, content: bytes, *, mode: int = 0o600) -> None:
    """Write a file whole or not at all. Only the owner can read the file, unless `mode` allows more."""
    beside = path.with_name(path.name + ".new")
    beside.unlink(missing_ok=True)
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
