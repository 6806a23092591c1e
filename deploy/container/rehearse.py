"""Run the steps of the Dockerfile in a folder, where no container engine can.

Covers: COPY from the repository and every RUN, in order, with the image's paths moved below the folder.
Not here: the base image, users and layers; steps that need root are named and skipped.

    python deploy/container/rehearse.py FOLDER
"""

import os
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MOVED = ("/opt/credence", "/src", "/var/cache/credence", "/home/credence")
NEED_ROOT = ("useradd",)


def instructions(dockerfile: str) -> list[tuple[str, str]]:
    """Keyword and arguments of each instruction, with continued lines joined."""
    lines = [line for line in dockerfile.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    return [
        (word, rest)
        for word, _, rest in (line.partition(" ") for line in "\n".join(lines).replace("\\\n", " ").splitlines())
    ]


def moved(text: str, folder: Path) -> str:
    """The text with the image's paths moved below the folder."""
    for path in MOVED:
        text = text.replace(path, f"{folder}{path}")
    return text


def rehearse(folder: Path) -> None:
    """Do what the build would do."""
    env, place = dict(os.environ), folder
    for word, rest in instructions((Path(__file__).parent / "Dockerfile").read_text()):
        started = time.monotonic()
        if word == "WORKDIR":
            place = Path(moved(rest, folder))
            place.mkdir(parents=True, exist_ok=True)
        elif word == "ENV":
            env |= {name: moved(value, folder).replace("$PATH", env["PATH"]) for name, value in variables(rest)}
        elif word == "COPY" and not rest.startswith("--from"):
            copy(shlex.split(rest), place)
        elif word == "RUN":
            left_out = rest.startswith(NEED_ROOT)
            if not left_out:
                subprocess.run(["sh", "-euc", moved(rest, folder)], check=True, cwd=place, env=env)  # noqa: S603, S607
            say(f"{'left out' if left_out else f'{time.monotonic() - started:6.1f} s'}  RUN {rest[:90]}")
    size = sum(path.lstat().st_size for path in (folder / "opt").rglob("*") if path.is_file())
    say(f"{size / 1e9:.2f} GB in /opt/credence")


def variables(rest: str) -> list[tuple[str, str]]:
    """Names and values of an ENV instruction."""
    return [(name, value) for name, _, value in (part.partition("=") for part in shlex.split(rest))]


def copy(names: list[str], place: Path) -> None:
    """Copy files and folders of the repository."""
    *sources, target = names
    for source in sources:
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, place / target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / source, place / target)


def say(line: str) -> None:
    """Print at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: rehearse.py FOLDER")
    rehearse(Path(sys.argv[1]).resolve())
