"""Tests that interrupt a program work as well where the tests themselves run in the background."""

import subprocess
import sys

import pytest

OBEYS = "import signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"


def test_programs_that_tests_start_obey_interrupts() -> None:
    assert subprocess.run([sys.executable, "-c", OBEYS], capture_output=True, check=True).stdout == b"True\n"


@pytest.mark.parametrize("cores", [["-p", "no:xdist"], ["-n", "1"]], ids=["one process", "xdist"])
def test_they_do_so_in_the_background_too(cores: list[str]) -> None:
    ignoring = ["sh", "-c", "trap '' INT; exec \"$@\"", "sh"]  # what a script's & does
    probe = f"{__file__}::{test_programs_that_tests_start_obey_interrupts.__name__}"
    command = [*ignoring, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *cores, probe]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout
