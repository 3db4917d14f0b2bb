"""The command `serve`: run the service over HTTP, with its own Postgres unless a database is given."""

from __future__ import annotations

from pathlib import Path

import click

from api.command.terminal.failures import Command
from api.command.terminal.options import home_option

_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command(cls=Command)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="The port to listen on; 0 chooses a free one.",
)
@home_option
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="How many processes answer requests.",
)
@click.option("--https", is_flag=True, help="Serve HTTPS, with a certificate made and kept in the data folder.")
@click.option(
    "--certificate", type=_FILE, help="Serve HTTPS with the certificate in this file (PEM); needs --key."
)
@click.option("--key", type=_FILE, help="The file of the certificate's key (PEM).")
@click.option("--no-demo", is_flag=True, help="Have no demo: no evening that everybody may try.")
def serve(
    host: str,
    port: int,
    home: Path,
    workers: int,
    https: bool,
    certificate: Path | None,
    key: Path | None,
    no_demo: bool,
) -> None:
    """Serve games over HTTP until a signal (Ctrl-C) ends it.

    Without DATABASE_URL, an embedded Postgres is started in the data folder and stopped at the end. The database
    is migrated. A demo is laid once: an evening under way, whose seats the first page gives to everybody, and a
    finished one.

    With --host 0.0.0.0 other machines of the network reach it. Then its address there is printed, also as a QR
    code for a phone's camera.

    \b
    Environment:
      DATABASE_URL            a Postgres database of yours, postgresql://…
      MABLIGOP_OWNER_URL      the same for its owner, when that is another login
      MABLIGOP_HOME           the data folder
      MABLIGOP_CREATION_KEY   the key needed to create a game (default: anybody may);
                              several keys, separated by commas, are all taken
      MABLIGOP_CORS_ORIGINS   origins whose pages may call, separated by commas
      MABLIGOP_HOSTS          names of the service, separated by commas; *.table.example
                              is every name below (default: on this machine alone its
                              own names, elsewhere every name)
      MABLIGOP_PUBLIC_URL     the address that links of invitations have, such as
                              https://table.example (default: the one that the banker
                              calls; on this machine, its address in the network)
      MABLIGOP_DEMO           any value: the service has a demo; set by the command
                              itself, without --no-demo
      MABLIGOP_NETWORK_URL    the same where the banker calls the service by a name of its
                              own machine; set by the command itself
      MABLIGOP_AUTHORITY      a file with the certificate (PEM) of the authority that
                              vouches for the service, served at /ca.crt; --https sets it
      MABLIGOP_TRUSTED_PROXIES
                              addresses and networks whose X-Forwarded-For is believed
      MABLIGOP_CONNECTIONS    database connections per worker (default: 20)
      MABLIGOP_STATEMENT_TIMEOUT
                              seconds that one database statement may take (default: 15)
      MABLIGOP_LOCK_TIMEOUT   seconds that it may wait for a lock (default: 5)
      MABLIGOP_REQUESTS_PER_MINUTE
                              requests of one token to one worker (default: 60000)
      MABLIGOP_CREATIONS_PER_MINUTE
                              games that one address may create (default: 600)
      MABLIGOP_UNKNOWN_TOKENS_PER_MINUTE
                              wrong tokens that one address may send (default: 600)
      MABLIGOP_WRONG_CODES_PER_MINUTE
                              wrong codes of invitations that one address may try
                              before it waits (default: 10)
      MABLIGOP_COMPUTE_SECONDS_PER_MINUTE
                              seconds of processor time that a banker's requests to one
                              worker may take (default: 40); a seat has half, a spectator
                              or an address a tenth
      MABLIGOP_ROWS_PER_MINUTE
                              rows that a banker's requests to one worker may store
                              (default: 20000), shared likewise
      MABLIGOP_REQUESTS_AT_ONCE
                              requests of one address in progress (default: 64)
      MABLIGOP_BODY_SECONDS   seconds in which a body must have come (default: 10)
      MABLIGOP_SEND_SECONDS   seconds that an answer waits for a client that does not
                              read it (default: 30)
      MABLIGOP_STREAMS        streams of one worker (default: 4096)
      MABLIGOP_IDLE_CONNECTIONS
                              connections of one address to one worker that may do
                              nothing (default: 256)
      MABLIGOP_LOG_LEVEL      debug, info, warning or error (default: info; on a
                              terminal, warning)
      MABLIGOP_SIGNING_KEYS   the file of the keys that sign the games' logs (default:
                              signing-keys in the data folder, made at the first start)
      MABLIGOP_SERVICE_ROLE   the database role that the service works under
      MABLIGOP_POSTGRES_BIN   the folder of the Postgres programs to use
      OTEL_EXPORTER_OTLP_ENDPOINT
                              where traces go by OTLP over HTTP (default: nowhere);
                              needs the extra: pip install mabligop[traces]
    """
    if (certificate is None) != (key is None):
        raise click.UsageError("--certificate and --key are needed together")
    if https and certificate is not None:
        raise click.UsageError("--https makes a certificate of its own: leave out --certificate and --key")
    # Imported late, because the command's help needs none of these modules.
    from api.command.running.serving import ServeOptions, serve_home

    serve_home(ServeOptions(host, port, home, workers, not no_demo, certificate, key, https))
