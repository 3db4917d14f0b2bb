"""The command `serve`: run the service over HTTP, with a Postgres of its own when no database is given."""

from __future__ import annotations

from pathlib import Path

import click

from api.command.failures import Command
from api.command.options import home_option


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
@click.option("--no-demo", is_flag=True, help="Do not play the recorded game that comes with the service.")
def serve(host: str, port: int, home: Path, workers: int, no_demo: bool) -> None:
    """Serve games over HTTP until a signal (Ctrl-C) ends it.

    Without DATABASE_URL, an embedded Postgres is started in the data folder and stopped at the end. The database
    is migrated. A recorded game is played once as a demo; its address and tokens are printed.

    \b
    Environment:
      DATABASE_URL            a Postgres database of yours, postgresql://…
      MABLIGOP_OWNER_URL      the same for its owner, when that is another login
      MABLIGOP_HOME           the data folder
      MABLIGOP_CREATION_KEY   the key needed to create a game (default: anybody may)
      MABLIGOP_CORS_ORIGINS   origins whose pages may call, separated by commas
      MABLIGOP_HOSTS          names of the service, separated by commas; *.table.example
                              is every name below (default: on this machine alone its
                              own names, elsewhere every name)
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
                              (default: 10)
      MABLIGOP_REQUESTS_AT_ONCE
                              requests of one address in progress (default: 64)
      MABLIGOP_BODY_SECONDS   seconds in which a body must have come (default: 10)
      MABLIGOP_SEND_SECONDS   seconds that an answer waits for a client that does not
                              read it (default: 30)
      MABLIGOP_STREAMS        streams of one worker (default: 4096)
      MABLIGOP_LOG_LEVEL      debug, info, warning or error (default: info; on a
                              terminal, warning)
      MABLIGOP_SERVICE_ROLE   the database role that the service works under
      MABLIGOP_POSTGRES_BIN   the folder of the Postgres programs to use
    """
    # Imported only now: the command's help needs none of it.
    from api.command.serving import serve_home

    serve_home(host, port, home, workers, demonstrated=not no_demo)
