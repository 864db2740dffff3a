"""Metrics by HTTP."""

from __future__ import annotations

import urllib.error
import urllib.request

import pytest

from phasemark.errors import UsageError, WorkError
from phasemark.workflow.endpoint import Endpoint, parsed


def test_what_was_put_last_is_answered() -> None:
    endpoint = Endpoint("0")
    try:
        assert endpoint.url.startswith("http://127.0.0.1:")
        endpoint.put("x 1\n# EOF\n")
        with urllib.request.urlopen(endpoint.url) as answer:
            assert answer.headers["Content-Type"].startswith("application/openmetrics-text; version=1.0.0")
            assert answer.read() == b"x 1\n# EOF\n"
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(endpoint.url.replace("metrics", "other"))
        assert caught.value.code == 404
        caught.value.close()
        with pytest.raises(WorkError, match="cannot listen at") as taken:
            Endpoint(endpoint.url.removeprefix("http://").removesuffix("/metrics"))
        assert taken.value.hint == "choose another port: --listen 0"
    finally:
        endpoint.close()


@pytest.mark.parametrize(
    ("address", "meant"),
    [("9100", ("127.0.0.1", 9100)), ("0.0.0.0:1", ("0.0.0.0", 1)), ("[::1]:7", ("::1", 7))],
)
def test_addresses(address: str, meant: tuple[str, int]) -> None:
    assert parsed(address) == meant


@pytest.mark.parametrize("address", ["", "x", "1.2.3.4", ":80", "70000", "host:", "host:-1", "host:٣"])
def test_what_is_no_address_is_said(address: str) -> None:
    with pytest.raises(UsageError, match="is no address"):
        parsed(address)


def test_a_host_that_is_not_ours() -> None:
    with pytest.raises(WorkError, match=r"cannot listen at 192\.0\.2\.1:0") as caught:
        Endpoint("192.0.2.1:0")
    assert caught.value.hint == "name an address of this machine, or the port alone"
