import sys
from types import ModuleType

import pytest

from tests.heavy_packages import heavy_packages_refused_to


def module_of(name: str) -> ModuleType:
    """A module with one function that imports a heavy package late."""
    module = ModuleType(name)
    exec("def load():\n    import pyarrow.compute\n    return pyarrow", module.__dict__)  # noqa: S102
    return module


def test_a_room_is_refused_what_has_been_imported_before():
    import pyarrow

    assert "pyarrow" in sys.modules
    with heavy_packages_refused_to("calib_core"), pytest.raises(ImportError, match="blocked in calib_core"):
        module_of("calib_core.events.made_up").load()
    assert module_of("calib_core.events.made_up").load() is pyarrow


def test_others_go_on_importing_meanwhile():
    with heavy_packages_refused_to("calib_core"):
        assert module_of("prefect.some_thread").load() is sys.modules["pyarrow"]


def test_all_ways_of_calling_the_import_still_work():
    with heavy_packages_refused_to("calib_core"):
        assert __import__("os.path", fromlist=["join"]).__name__ == "posixpath"
        assert __import__("os", globals={"__name__": "calib_core"}, level=0).__name__ == "os"
        with pytest.raises(ImportError, match="blocked in calib_core"):
            __import__("torch", globals={"__name__": "calib_core"})
