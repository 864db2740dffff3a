"""Programs to profile, built once."""

from __future__ import annotations

import shutil
import subprocess

import pytest

_TWO_THREADS = """
#include <pthread.h>
static void *work(void *n) { volatile long s = 0; for (long i = 0; i < (long)n; i++) s += i; return 0; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, (void *)30000L);
    work((void *)10000L);
    return pthread_join(thread, 0);
}
"""


@pytest.fixture(scope="session")
def two_threads(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A program of two threads; the second loops three times as long as the first."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("needs a C compiler")
    folder = tmp_path_factory.mktemp("programs")
    source = folder / "two.c"
    source.write_text(_TWO_THREADS)
    subprocess.run([compiler, "-O1", "-pthread", str(source), "-o", str(folder / "two")], check=True)
    return str(folder / "two")
