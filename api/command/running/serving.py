"""Running the service: the database, the workers, and the messages of the start."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from api import settings, supervisor
from api.command.running import addresses
from api.command.running.signals import leave
from api.command.terminal.failures import BadInput
from api.output import outlast_readers
from api.rest.running import logs, shared_numbers, traces

if TYPE_CHECKING:
    from api.command.running import certificates

_EMBEDDED_CONNECTIONS = 90
"""The number of connections to the embedded server for all workers, of the 100 accepted."""


class ServeOptions(NamedTuple):
    """The options of the command line. `certificate` and `key` are files; `https` requests a certificate
    created here.

    `demonstrated` tells if the service has a demo.
    """

    host: str
    port: int
    home: Path
    workers: int
    demonstrated: bool
    certificate: Path | None = None
    key: Path | None = None
    https: bool = False


def serve_home(options: ServeOptions) -> None:
    """Serve until a signal: on DATABASE_URL, or with the Postgres of a data folder.

    Raises BadInput for a wrong setting, AddressRefused, and all exceptions of `database`.
    """
    try:
        settings.connections()
        settings.idle_connections()
        logs.configuration()
        traces.enabled()
        names = settings.configured().hosts
        settings.trusted_proxies()
        public = addresses.configured_url()
    except ValueError as fault:
        raise BadInput(str(fault)) from fault
    outlast_readers()
    signal.signal(signal.SIGTERM, leave)
    # Before anything is created: a port in use ends the command.
    address, chosen = supervisor.free_address(options.host, options.port)
    trusted = (options.home / _AUTHORITY).exists()
    tls = _certificate(options, address, public)
    if not os.environ.get("DATABASE_URL"):
        os.environ.setdefault(
            "MABLIGOP_CONNECTIONS",
            str(max(1, min(settings.CONNECTIONS, _EMBEDDED_CONNECTIONS // options.workers))),
        )
    scheme = "http" if tls is None else "https"
    reachable = addresses.reachable_at(address)
    if public is None and reachable is not None:
        public = os.environ[addresses.NETWORK_URL] = addresses.url_of(scheme, reachable, chosen)
    if tls is not None and tls.authority is not None:
        os.environ["MABLIGOP_AUTHORITY"] = str(tls.authority)
    names = settings.names_at(address, names, () if public is None else (addresses.host_of(public),))
    os.environ["MABLIGOP_HOSTS"] = ",".join(names)
    if not names:
        click.echo(f"On {address} the service answers under every name; see MABLIGOP_HOSTS", err=True)
    if options.demonstrated:
        os.environ[settings.DEMO_VARIABLE] = "1"
    base = addresses.url_of(scheme, _LOOPBACK.get(address, address), chosen)
    welcoming = threading.Thread(
        target=_welcome, args=(base, options.demonstrated, public, tls), name="welcome", daemon=True
    )
    with ExitStack() as running:
        running.enter_context(shared_numbers.shared())
        anew = tls is not None and tls.authority is not None and not trusted
        prepare = partial(_prepare, options.home, running, anew=anew)
        if os.environ.get("DATABASE_URL"):
            # Before the start of the workers, because they need not know the owner's URL.
            prepared = prepare()
            os.environ.update(prepared)
            prepare = partial(dict, prepared)
        supervisor.serve(address, chosen, options.workers, prepare, welcoming.start, tls)
        click.echo("Stopping …", err=True)


def _prepare(home: Path, running: ExitStack, *, anew: bool) -> Mapping[str, str]:
    """Prepare the database. The needed modules are imported while the workers start."""
    from api.command.running.preparing import prepare

    return prepare(home, running, new_authority=anew)


def _welcome(base: str, demonstrated: bool, public: str | None, tls: certificates.Served | None) -> None:
    """Welcome the banker. The needed modules are imported while the workers start."""
    from api.command.running.welcoming import welcome

    welcome(base, demonstrated, public, tls)


_AUTHORITY = Path("tls") / "authority.pem"
"""The authority trusted by phones, in the data folder. Repeated from `certificates`, imported only for HTTPS."""
_LOOPBACK = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - what to call, not to bind


def _certificate(options: ServeOptions, address: str, public: str | None) -> certificates.Served | None:
    """Return the certificate of the service, or None for plain HTTP. Raises BadInput."""
    if not options.https and options.certificate is None:
        return None
    from api.command.running import certificates

    if options.certificate is not None and options.key is not None:
        return certificates.configured_certificate(options.certificate, options.key)
    host = socket.gethostname().lower()
    names = [
        *filter(None, [addresses.reachable_at(address), public and addresses.host_of(public).strip("[]")]),
        *([] if "." in host else [f"{host}.local"]),
        host,
        "localhost",
        "127.0.0.1",
        "::1",
    ]
    return certificates.at_home(options.home / certificates.FOLDER, list(dict.fromkeys(names)))
