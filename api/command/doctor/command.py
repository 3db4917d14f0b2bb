"""The command `doctor`: examine an installation, and say for each fault what to do."""

from __future__ import annotations

from pathlib import Path

import click
from click.core import ParameterSource

from api.command.terminal.counts import count
from api.command.terminal.failures import Command
from api.command.terminal.options import home_option, token_option, url_option

_WARNINGS, _FAULTS = 11, 12
"""The exit codes."""


@click.command(cls=Command)
@url_option
@token_option
@click.option(
    "--backups",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="The folder of your backups: the newest file must not be old.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@home_option
@click.pass_context
def doctor(
    context: click.Context, url: str, token: str | None, backups: Path | None, as_json: bool, home: Path
) -> None:
    """Examine an installation: is all well, and if not, what to do?

    Each check is a line, in the order of mending: settings, program, database, rights, clock, disk, keys, backups,
    and the running service at --url. Run it as the user of the service, with the settings of the service. The
    service may run or be stopped; a stopped database in the data folder is started for the look.

    Nothing lasting is made. As `/readyz` does, a row is written that belongs to no game. With a --token, the
    stream of its game is opened too.

    The levels are `well`, `note` (not tried, and why), `warning` and `fault`. The exit code is 0 if all is well,
    11 if there are warnings only, 12 if there is a fault.
    """
    # Imported late, because the command's help needs none of these modules.
    from api.command.doctor.checks import examined
    from api.command.doctor.installation import Installation
    from api.command.doctor.reports import as_line, as_object, count_of, secrets_of, without_password
    from api.command.running.signals import interruptible

    named = context.get_parameter_source("url") is not ParameterSource.DEFAULT
    secrets = secrets_of(url, token)
    findings = []
    with interruptible():
        for finding in examined(Installation(home, without_password(url), named, token, backups)):
            findings.append(finding)
            if not as_json:
                click.echo(as_line(finding, secrets))
    if as_json:
        click.echo(as_object(findings, secrets))
    faults, warnings = (count_of(findings, level) for level in ("fault", "warning"))
    click.echo(f"{count(faults, 'fault')}, {count(warnings, 'warning')}", err=True)
    context.exit(_FAULTS if faults else _WARNINGS if warnings else 0)
