"""Debug files from servers: found, kept, not asked for twice; and no server can make naming fail."""

from __future__ import annotations

import os
import subprocess
import time

import pytest
from tests.symbols.programs import C_SOURCE, Program, build
from tests.symbols.servers import Server, debuginfod, serving

from phasemark import progress, symbols
from phasemark.symbols import debuginfod as client
from phasemark.symbols import module as modules


@pytest.fixture(scope="module")
def stripped(tmp_path_factory):
    """A program without symbols, its debug file, and where its functions are."""
    folder = tmp_path_factory.mktemp("stripped")
    program = build(folder, C_SOURCE, "-g", "-O1")
    addresses = program.addresses()
    expected = symbols.annotate(program.blocks(addresses))
    debug = folder / "debug" / "program.debug"
    debug.parent.mkdir()
    subprocess.run(["objcopy", "--only-keep-debug", program.path, debug], check=True)
    subprocess.run(["objcopy", "--strip-all", program.path], check=True)
    return program, debug, expected, symbols.build_id(program.path)


@pytest.fixture(autouse=True)
def own(tmp_path, monkeypatch):
    """A cache of the test's own, and no server unless it names one."""
    for name in [name for name in os.environ if name.startswith("DEBUGINFOD_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("DEBUGINFOD_CACHE_PATH", str(tmp_path / "cache"))
    monkeypatch.setattr(client, "_failures", {})
    modules._load.cache_clear()
    yield
    modules._load.cache_clear()


@pytest.fixture
def server(monkeypatch):
    with serving() as server:
        monkeypatch.setenv("DEBUGINFOD_URLS", f"ima:enforcing {server.url}/")
        yield server


def _names(program: Program) -> set[str]:
    modules._load.cache_clear()
    return set(symbols.annotate(program.blocks(program.addresses()), lines=False).function or ())


def test_elfutils_own_server_names_functions_and_lines(stripped, monkeypatch) -> None:
    program, debug, expected, build_id = stripped
    with debuginfod(debug.parent, build_id) as url:
        monkeypatch.setenv("DEBUGINFOD_URLS", url)
        named = symbols.annotate(program.blocks(program.addresses()))
    assert (named.function, named.file, named.line.tolist()) == (
        expected.function, expected.file, expected.line.tolist(),
    )  # fmt: skip
    assert "hidden" in named.function


def test_a_file_is_downloaded_once_and_lies_where_elfutils_keeps_it(stripped, server, tmp_path) -> None:
    program, debug, _, build_id = stripped
    server.files[build_id] = debug.read_bytes()
    assert "hidden" in _names(program)
    assert "hidden" in _names(program)
    assert server.asked == [f"/buildid/{build_id}/debuginfo"]
    assert (tmp_path / "cache" / build_id / "debuginfo").read_bytes() == debug.read_bytes()
    assert not symbols.notes()


def test_nobody_is_asked_unless_the_user_names_a_server(stripped, server, monkeypatch) -> None:
    program, debug, _, build_id = stripped
    server.files[build_id] = debug.read_bytes()
    monkeypatch.delenv("DEBUGINFOD_URLS")
    assert "hidden" not in _names(program)
    assert not server.asked


def test_that_a_server_has_no_file_is_kept_for_a_while(stripped, server, tmp_path) -> None:
    program, debug, _, build_id = stripped
    assert "hidden" not in _names(program)
    server.files[build_id] = debug.read_bytes()
    assert "hidden" not in _names(program)
    assert len(server.asked) == 1
    miss = tmp_path / "cache" / build_id / "debuginfo"
    assert miss.stat().st_mode & 0o777 == 0
    os.utime(miss, (time.time() - 601,) * 2)
    assert "hidden" in _names(program)
    assert not symbols.notes()


def test_a_server_that_fails_is_a_note_and_asked_once(stripped, server) -> None:
    program, _, _, build_id = stripped
    server.status = 500
    assert "hidden" not in _names(program)
    assert "hidden" not in _names(program)
    assert len(server.asked) == 1
    assert symbols.notes() == (f"debuginfod: {server.url}/: answered 500 Internal Server Error",)
    assert not (client._cache() / build_id / "debuginfo").exists()


def test_one_that_cannot_be_reached_leaves_it_to_the_next(stripped, server, monkeypatch) -> None:
    program, debug, _, build_id = stripped
    server.files[build_id] = debug.read_bytes()
    monkeypatch.setenv("DEBUGINFOD_URLS", f"http://127.0.0.1:1 nonsense {server.url}")
    assert "hidden" in _names(program)
    refused, nonsense = symbols.notes()
    assert refused == "debuginfod: http://127.0.0.1:1: cannot be asked: Connection refused"
    assert nonsense.startswith("debuginfod: nonsense: cannot be asked: unknown url type")


@pytest.mark.parametrize("way", ["cut", "another", "large"])
def test_what_does_not_come_whole_is_not_used(stripped, server, monkeypatch, way) -> None:
    program, debug, _, build_id = stripped
    server.files[build_id] = b"\x7fELF" + bytes(9) if way == "another" else debug.read_bytes()
    server.cut = 100 if way == "cut" else 0
    monkeypatch.setenv("DEBUGINFOD_MAXSIZE", "1000" if way == "large" else "0")
    assert "hidden" not in _names(program)
    notes = symbols.notes()
    assert {"cut": "bytes came", "large": "larger than DEBUGINFOD_MAXSIZE", "another": ""}[way] in "".join(
        notes
    )
    if way != "another":
        assert list((client._cache()).rglob("debuginfo*")) == []


def test_a_page_in_place_of_a_file_is_not_kept(stripped, server) -> None:
    program, _, _, build_id = stripped
    server.files[build_id] = b"<html>Log in</html>"
    assert "hidden" not in _names(program)
    assert symbols.notes() == (f"debuginfod: {server.url}/: cannot be asked: what it sent is no debug file",)
    assert list(client._cache().rglob("debuginfo*")) == []


@pytest.mark.parametrize("what", ["headers", "body"])
def test_a_server_that_drips_is_left_alone(stripped, server, monkeypatch, what) -> None:
    program, debug, _, build_id = stripped
    content = server.files[build_id] = debug.read_bytes()
    server.drips = what
    monkeypatch.setenv("DEBUGINFOD_TIMEOUT", "1")
    assert "hidden" not in _names(program)
    assert "hidden" not in _names(program)
    assert server.sent < len(content)
    assert len(server.asked) == 1
    assert symbols.notes()[0].startswith(f"debuginfod: {server.url}/: cannot be asked: only ")


def test_a_cache_that_cannot_be_written_is_a_note(stripped, server, monkeypatch, tmp_path) -> None:
    program, debug, _, build_id = stripped
    server.files[build_id] = debug.read_bytes()
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DEBUGINFOD_CACHE_PATH", str(tmp_path / "file"))
    assert "hidden" not in _names(program)
    assert "the cache cannot be written" in symbols.notes()[0]


def test_a_long_download_tells_how_far_it_is(stripped, server: Server, monkeypatch) -> None:
    program, debug, _, build_id = stripped
    server.files[build_id] = debug.read_bytes()
    monkeypatch.setattr(client, "_PATIENCE", -1.0)
    told: list[str] = []
    monkeypatch.setattr(progress, "_told", [told.append])
    assert "hidden" in _names(program)
    assert told
    assert told[0].startswith(f"downloading debug information of program from {server.url}/: 0 of 0 MiB")
