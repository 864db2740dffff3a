"""What records a program: one module an engine, each a Collector of `protocol`; `--collector` names it.

To add one: write its module, with a class that has the protocol's methods (`valgrind` is an example with
a timing model, `exp_bbv` one that reads another tool's files), and enter it in `registry`. The suite in
tests/collect/engines/test_protocol.py then runs over it, too. An engine that writes raw streams
(docs/raw-stream.md) makes its profiles with `collect.stream.conversion`. What an engine for x86-64 can
run is checked by `preflight`; for other instruction sets check there what that engine can run.
"""
