"""Programs to profile, built once."""

from __future__ import annotations

import shutil
import subprocess

import pytest

_TWO_THREADS = """
#include <pthread.h>
#ifndef TIMES
#define TIMES 1
#endif
static void *work(void *n) { volatile long s = 0; for (long i = 0; i < (long)n; i++) s += i; return 0; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, (void *)(30000L * TIMES));
    work((void *)(10000L * TIMES));
    return pthread_join(thread, 0);
}
"""


@pytest.fixture(scope="session")
def two_threads(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A program of two threads; the second loops three times as long as the first."""
    return _built(tmp_path_factory, 1)


@pytest.fixture(scope="session")
def two_long_threads(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The same, long enough for a collector that looks a thousand times a second: tenths of a second."""
    return _built(tmp_path_factory, 20_000)


def _built(tmp_path_factory: pytest.TempPathFactory, times: int) -> str:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("needs a C compiler")
    folder = tmp_path_factory.mktemp("programs")
    source, program = folder / "two.c", str(folder / "two")
    source.write_text(_TWO_THREADS)
    subprocess.run([compiler, "-O1", f"-DTIMES={times}", "-pthread", str(source), "-o", program], check=True)
    return program
