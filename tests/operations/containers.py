"""The files for deploying, run: the containers of `compose.yaml`, and the unit in a machine with systemd."""

from __future__ import annotations

import os
import re
import secrets
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import yaml

import migrations
from tests.operations.evening import Evening
from tests.operations.servers import NotHere, answers, free_port

DEPLOY = Path(migrations.__file__).parent / "deploy"
_PROJECT = _IMAGE = "mabligop-operations"
_REFUSED = re.compile(r"E(?:ROFS|ACCES|PERM|NOSPC)\b")
_TRACED = f"FROM {_IMAGE}\nUSER root\nRUN apt-get update -qq && apt-get install -y -qq strace\nUSER mabligop\n"
# The unit has its own user and folder, and the place of the installation that the README describes.
_UNIT = f"""FROM {_IMAGE}
USER root
RUN apt-get update -qq && apt-get install -y -qq systemd && rm -r $MABLIGOP_HOME \\
    && install -D /dev/null /etc/mabligop/environment && install -d /opt/mabligop/bin \\
    && ln -s /usr/local/bin/mabligop /opt/mabligop/bin/ \\
    && ln -s /opt/mabligop/migrations/deploy/mabligop.service /etc/systemd/system/ \\
    && systemctl mask getty.target systemd-udevd && systemctl enable mabligop
ENV MABLIGOP_HOME=
ENTRYPOINT ["/lib/systemd/systemd"]
CMD []
"""


def compose(folder: Path) -> str:
    """Build the image, play an evening in the containers, replace the container of the service, and look again.

    The first container runs under strace. A refused access to a file is a failure: a folder is missing among the
    volumes. Raises NotHere without Docker.
    """
    version = _docker("compose", "version", "--short")
    engine = _docker("version", "--format", "{{.Server.Version}}")
    changes, key = folder / "changes.yaml", secrets.token_hex(16)
    secret = {"POSTGRES_PASSWORD": secrets.token_hex(16), "MABLIGOP_CREATION_KEY": key}
    words = ["compose", "-p", _PROJECT, "-f", str(DEPLOY / "compose.yaml"), "-f", str(changes)]

    def run(*command: str) -> str:
        return _docker(*words, *command, **secret)

    port = free_port()
    published = f'ports: !override ["127.0.0.1:{port}:8000"]'
    ordinary = f"services:\n  service:\n    image: {_IMAGE}\n    build: {{network: host}}\n    {published}\n"
    changes.write_text(ordinary)
    url = f"http://127.0.0.1:{port}"
    run("build")
    try:
        with _image(_TRACED) as traced:
            entry = "entrypoint: [strace, -f, -qq, -Z, -e, trace=%file, -o, /tmp/trace, mabligop]"
            lines = (f"image: {traced}", "build: !reset null", published, entry)
            changes.write_text("services:\n  service:\n    " + "\n    ".join(lines) + "\n")
            run("up", "--detach", "--wait")
            table = Evening(url, key)
            table.play(url)
            trace = run("exec", "service", "cat", "/tmp/trace").splitlines()  # noqa: S108 - in the container
            refused = [line for line in trace if _REFUSED.search(line)]
            assert not refused, "the service may not write:\n" + "\n".join(refused[:20])
            # The container is replaced by a new container of the untraced image; the volumes stay.
            changes.write_text(ordinary)
            run("up", "--detach", "--wait", "--force-recreate", "--no-build", "service")
        table.still(url)
        run("exec", "service", "mabligop", "verify", "--decide")
        run("exec", "service", "mabligop", "backup", "--without-keys", "/var/lib/mabligop/evening.zip")
        run("cp", "service:/var/lib/mabligop/evening.zip", str(folder))
    except Exception as failure:
        raise AssertionError(f"{failure}\n{run('logs', '--tail', '30')}") from failure
    finally:
        run("down", "--volumes")
    return f"Docker {engine}, Compose {version}"


def unit(_: Path) -> str:
    """Play an evening on the unit under systemd, in a container as a machine; kill the service, and look again.

    The image is that of `compose`. The unit listens at port 8000. Raises NotHere without Docker or the port.
    """
    url = "http://127.0.0.1:8000"
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", 8000)) == 0:
            raise NotHere("port 8000 is in use")
    with _image(_UNIT) as image:
        rights = ("--cap-add=SYS_ADMIN", "--security-opt=seccomp=unconfined", "--security-opt=apparmor=unconfined")
        groups = ("--cgroupns=host", "--volume=/sys/fs/cgroup:/sys/fs/cgroup")
        machine = _docker("run", "--detach", "--rm", "--network=host", "--tmpfs=/run", *rights, *groups, image)
        try:
            with suppress(AssertionError):
                _docker("exec", machine, "systemctl", "is-system-running", "--wait")
            answers(url)
            table = Evening(url)
            table.play(url)
            _docker("exec", machine, "systemctl", "kill", "--signal=KILL", "--kill-who=main", "mabligop")
            answers(url)
            table.still(url)
            user = ("--user=mabligop", "--env=MABLIGOP_HOME=/var/lib/mabligop")
            _docker("exec", *user, machine, "mabligop", "backup", "--without-keys", "/tmp/evening.zip")  # noqa: S108 - see above
            version = _docker("exec", machine, "systemctl", "--version").split()[1]
        except Exception as failure:
            log = _docker("exec", machine, "journalctl", "--unit=mabligop", "--lines=30", "--no-pager")
            raise AssertionError(f"{failure}\n{log}") from failure
        finally:
            _docker("kill", machine)
    return f"systemd {version}"


@contextmanager
def _image(text: str) -> Iterator[str]:
    """An image built from the text of a Dockerfile without files, for the time of the block."""
    name = f"{_PROJECT}-{secrets.token_hex(4)}"
    _docker("build", "--network", "host", "--tag", name, "-", text=text)
    try:
        yield name
    finally:
        _docker("rmi", "--force", name)


def _docker(*words: str, text: str = "", **variables: str) -> str:
    """Run docker, and give the output. Raises NotHere if Docker does not answer, AssertionError for a failure."""
    try:
        done = subprocess.run(
            ["docker", *words], input=text, capture_output=True, text=True, check=False, env=os.environ | variables
        )
    except FileNotFoundError as missing:
        raise NotHere("no Docker") from missing
    if done.returncode and words[0] in {"version", "compose"} and words[-1] in {"--short", "{{.Server.Version}}"}:
        raise NotHere("no Docker that answers, with Compose 2")
    assert done.returncode == 0, f"docker {' '.join(words)}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout.strip()


def writable() -> set[str]:
    """The folders of the container in which the service may write, as `compose.yaml` says.

    Every container has /dev/shm.
    """
    service = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]["service"]
    return {"/dev/shm", *service["tmpfs"], *(volume.split(":")[1] for volume in service["volumes"])}  # noqa: S108
