"""The files for deploying: what they start exists, with these options and these settings."""

from __future__ import annotations

import configparser
import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

import migrations
from api.command.main import COMMANDS, main

ROOT = Path(__file__).parents[2]
DEPLOY = Path(migrations.__file__).parent / "deploy"
CODE = ("api", "ledger", "replays", "migrations")
OURS = re.compile(r"\b(?:MABLIGOP_[A-Z_]+[A-Z]|DATABASE_URL)\b")
OF_COMMANDS = {"MABLIGOP_TOKEN", "MABLIGOP_URL", "MABLIGOP_BACKUP_PASSPHRASE"}
"""What only commands beside the service read."""


def help_of(name: str) -> str:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    return command.get_help(click.Context(command, info_name=name))


@pytest.fixture(scope="module")
def settings() -> set[str]:
    """The settings of the service, as its help lists them."""
    return set(OURS.findall(help_of("serve")))


@pytest.fixture(scope="module")
def unit() -> configparser.ConfigParser:
    parsed = configparser.ConfigParser(interpolation=None, delimiters=("=",), comment_prefixes=("#",))
    parsed.optionxform = str  # type: ignore[assignment, method-assign]
    parsed.read_string((DEPLOY / "mabligop.service").read_text())
    return parsed


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text())


@pytest.fixture(scope="module")
def image() -> list[tuple[str, str]]:
    """The instructions of the image: the word, and what follows it."""
    lines = (DEPLOY / "Dockerfile").read_text().splitlines()
    return [tuple(line.split(" ", 1)) for line in lines if line and not line.startswith("#")]  # type: ignore[misc]


def started(arguments: list[str]) -> dict[str, Any]:
    """The options of a command as it would be started. Fails for a command or an option that does not exist."""
    name, *options = arguments
    assert name in COMMANDS
    command = main.get_command(click.Context(main), name)
    assert command is not None
    return command.make_context(name, options).params


def test_the_unit_starts_the_service(unit: configparser.ConfigParser, settings: set[str]) -> None:
    service = unit["Service"]
    program, *arguments = shlex.split(service["ExecStart"])
    assert Path(program).name == "mabligop"
    assert program in (ROOT / "migrations" / "README.md").read_text()
    options = started(arguments)
    assert (options["host"], options["no_demo"]) == ("127.0.0.1", True)
    name, _, home = service["Environment"].partition("=")
    assert name in settings
    assert home == f"/var/lib/{service['StateDirectory']}"
    assert service["EnvironmentFile"].startswith("-/etc/mabligop/")


def test_the_unit_ends_the_service_in_good_order(unit: configparser.ConfigParser) -> None:
    """A signal to every process would end Postgres under the workers' hands; one to the service does not."""
    service = unit["Service"]
    assert (service["Restart"], service["KillMode"]) == ("always", "mixed")
    assert int(service["TimeoutStopSec"]) > 10, "open requests have ten seconds"


def test_the_unit_gives_few_rights(unit: configparser.ConfigParser) -> None:
    service = unit["Service"]
    assert service["User"] == "mabligop"
    assert (service["ProtectSystem"], service["CapabilityBoundingSet"]) == ("strict", "")
    for right in ("NoNewPrivileges", "ProtectHome", "PrivateDevices", "ProtectKernelModules", "RestrictSUIDSGID"):
        assert service[right] == "yes", right


def test_the_containers_start_the_service(compose: dict[str, Any], settings: set[str]) -> None:
    service, database = compose["services"]["service"], compose["services"]["database"]
    options = started(service["command"])
    assert options["host"] == "0.0.0.0"  # noqa: S104 - only the port of the next line is published
    assert service["ports"] == [f"127.0.0.1:8000:{options['port']}"]
    assert set(service["environment"]) <= settings
    assert service["depends_on"]["database"]["condition"] == "service_healthy"
    assert service["build"]["dockerfile"] == "migrations/deploy/Dockerfile"
    assert (DEPLOY / service["build"]["context"]).resolve() == ROOT
    volumes = [volume.partition(":")[0] for one in (database, service) for volume in one["volumes"]]
    assert volumes == list(compose["volumes"])
    assert "postgresql://mabligop:" in service["environment"]["DATABASE_URL"]
    assert service["environment"]["DATABASE_URL"].endswith("@database/mabligop")
    for one in (service, database):
        assert one["restart"] == "unless-stopped"
        assert one["healthcheck"]["test"][0] == "CMD"
    assert "/healthz" in service["healthcheck"]["test"][-1]


def test_the_containers_name_no_secret(compose: dict[str, Any]) -> None:
    text = (DEPLOY / "compose.yaml").read_text()
    assert "${POSTGRES_PASSWORD:?" in text
    assert compose["services"]["service"]["environment"]["MABLIGOP_CREATION_KEY"].startswith(
        "${MABLIGOP_CREATION_KEY:?"
    )


def test_the_image_holds_the_program_and_starts_it(image: list[tuple[str, str]]) -> None:
    copied = [shlex.split(rest)[:-1] for word, rest in image if word == "COPY"]
    sources = {source for sources in copied for source in sources}
    assert all((ROOT / source).exists() for source in sources)
    assert set(CODE) <= sources
    instructions = dict(image)
    assert yaml.safe_load(instructions["ENTRYPOINT"]) == ["mabligop"]
    assert started(yaml.safe_load(instructions["CMD"]))["port"] == int(instructions["EXPOSE"])
    assert instructions["USER"] != "root"
    admitted = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    assert {line.removeprefix("!") for line in admitted if line.startswith("!")} == sources


def test_every_setting_is_documented(settings: set[str]) -> None:
    """What the code reads from the environment is in the help of `serve` and in the table of settings."""
    read = {
        name
        for folder in CODE
        for file in (ROOT / folder).rglob("*.py")
        for name in OURS.findall(file.read_text(encoding="utf-8"))
    }
    chapter = (ROOT / "migrations" / "README.md").read_text().partition("## Settings\n")[2].partition("\n## ")[0]
    assert read - OF_COMMANDS == settings
    assert set(OURS.findall(chapter)) >= settings
