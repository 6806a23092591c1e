"""The kernels' disk cache depends on all sources."""

import numpy as np

from calib_core.coref.model.logits import document_logits
from calib_core.kernels import kernel, sources_digest


def test_a_cached_kernel_carries_the_digest_of_all_sources() -> None:
    stamp = document_logits._cache._cache_file._source_stamp
    assert stamp[1] == sources_digest()


def test_a_kernel_of_another_package_depends_on_that_package_too() -> None:
    from reproductions.tagging.log_kernels import log_messages

    stamp = log_messages._cache._cache_file._source_stamp
    assert stamp[1] == sources_digest("reproductions") != sources_digest()


def test_a_kernel_computes() -> None:
    @kernel
    def twice(values):
        return values * 2

    assert twice(np.arange(3)).tolist() == [0, 2, 4]
