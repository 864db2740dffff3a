"""Vector files, good and bad, for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

number = st.one_of(
    st.integers(0, 40),
    st.integers(0, 2**63 - 1),
    st.integers(2**63 - 2, 2**63 + 2),
    st.integers(2**64 - 2, 2**64 + 2),
).map(lambda n: str(n).encode())
entry = st.one_of(
    st.builds(lambda i, c: b":%b:%b" % (i, c), number, number),
    st.builds(lambda a, i, c: b":0x%b:1f:%b:%b" % (a, i, c), number, number, number),
    st.sampled_from(
        [
            b":1:2:3",
            b":1",
            b":a:1",
            b":1:-2",
            b"1:2",
            b"1:2:3",
            b":1:2x",
            b"::",
            b":1:",
            b":1:2.5",
            b":",
            b"x",
        ]
    ),
)
few_faults = st.builds(lambda i, c: b":%d:%d" % (i, c), st.integers(0, 30), st.integers(0, 30))
gap = st.sampled_from([b" ", b"   ", b"\t", b" \t "])


@st.composite
def vector_line(draw: st.DrawFn) -> bytes:
    entries = draw(st.lists(st.one_of(few_faults, few_faults, few_faults, entry), max_size=5))
    return b"T" + b"".join(
        draw(st.sampled_from([b"", b" "])) * (i == 0) + e + draw(gap) for i, e in enumerate(entries)
    )


line = st.one_of(
    vector_line(),
    vector_line(),
    st.sampled_from(
        [b"", b"  ", b"# a comment", b"T", b"Block id: 3", b"T :1:2", b"  T:1:2", b"Tx", b"\0", b"T:1\0:2"]
    ),
    st.binary(max_size=8),
)
#: With much behind it, a line is read many bytes at a time.
content = st.builds(
    lambda lines, end, last: end.join(lines) + last,
    st.lists(line, max_size=8),
    st.sampled_from([b"\n", b"\r\n"]),
    st.sampled_from([b"", b"\n", b"\n" * 200]),
)
#: Bytes of a stream that come at a time.
cuts = st.one_of(st.integers(1, 90), st.just(1 << 20))
