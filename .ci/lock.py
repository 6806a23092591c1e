"""Write requirements.lock and requirements-dev.lock: every package, one exact version each.

Installs into a throw-away environment and records what pip chose, because only what was installed
together is known to work together. Three choices are ours, not the resolver's:

- torch is pinned and goes first, so that no other package pulls in another build of it;
- netcal comes without its dependencies: the metrics that we compare with need only torch and tqdm;
- hatchling and editables are listed, so that the editable install needs no build environment of its own.
"""

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TORCH = "torch==2.13.0"
HEADER = "# Written by `make lock`; install with --no-deps.\n"


def main() -> None:
    """Resolve the runtime first, then the development tools on top of it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    dev = [name for name in project["optional-dependencies"]["dev"] if name != "netcal"]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        pip = [f"{folder}/bin/python", "-m", "pip"]
        subprocess.run([*pip, "install", *project["dependencies"]], check=True)
        runtime = frozen(pip)
        subprocess.run([*pip, "install", TORCH, "tqdm", "hatchling", "editables", *dev], check=True)
        subprocess.run([*pip, "install", "--no-deps", "netcal"], check=True)
        everything = frozen(pip)
    write("requirements.lock", runtime)
    write("requirements-dev.lock", [line for line in everything if line not in runtime])


def frozen(pip: list[str]) -> list[str]:
    """The installed packages as `name==version`, without local build tags such as `+cpu`."""
    listed = subprocess.run([*pip, "freeze"], check=True, capture_output=True, text=True).stdout
    return [line.split("+")[0] for line in listed.splitlines()]


def write(name: str, lines: list[str]) -> None:
    """Replace one lock file."""
    (ROOT / name).write_text(HEADER + "".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    main()
