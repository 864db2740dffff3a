"""The loop nests of a run: the heaviest rules of its traces' grammars."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from phasemark.cli.printing.names import cut
from phasemark.errors import counted
from phasemark.intervals import Repetition, event_name, function_name
from phasemark.model import Sites
from phasemark.views.text import aligned, percent
from phasemark.workflow.grammar import GrammarResult, ThreadGrammar

#: Characters of a function's name.
_NAME = 44

#: Characters of what a sequence is called.
_SEQUENCE = 64

_HEADINGS = ["share", "instructions", "times", "each", "what repeats"]


def summary(result: GrammarResult) -> dict[str, Any]:
    """Everything in one JSON object."""
    return {"threads": [_plain_thread(thread) for thread in result.threads], "notes": list(result.notes)}


def lines(result: GrammarResult) -> list[str]:
    """For each thread its heaviest rules as trees: what repeats within a rule stands below it."""
    out: list[str] = []
    for thread in result.threads:
        out += ["", *_thread(thread)]
    return [*out[1:], *(f"note: {note}" for note in result.notes)]


def title(sites: Sites, one: Repetition) -> str:
    """What a person calls a repetition: by its loop, or what it is made of in order: `init, matmul x 96`."""
    if one.site >= 0:
        return event_name(sites, one.site, _short)
    called: list[tuple[str, int]] = []
    for site, times in one.made_of:
        name = _short(function_name(sites, site))
        before = called.pop()[1] if called and called[-1][0] == name else 1
        called.append((name, max(times, before)))
    words = [f"{name} x {times:,}" if times > 1 else name for name, times in called]
    kept = [word for end, word in enumerate(words) if len(", ".join(words[: end + 1])) <= _SEQUENCE]
    return ", ".join(kept + ["..."] * (len(kept) < len(words))) or "a sequence"


def _short(function: str) -> str:
    return cut(function, _NAME)


def _thread(thread: ThreadGrammar) -> Iterator[str]:
    events, grammar = thread.events, thread.grammar
    where = f"thread {events.thread}" + (f" of run {events.run}" if events.run else "")
    rules = counted(len(grammar) - 1, "rule")
    yield (
        f"{where}: {counted(events.instructions, 'instruction')}, {counted(len(events), 'event')}, "
        f"{rules} ({counted(len(grammar.symbols), 'symbol')})"
    )
    if thread.repetitions:
        rows = [row for one in thread.repetitions for row in _rows(thread, one, 0)]
        rest = [percent(_share(thread, thread.rest)), f"{thread.rest:,}", "", "", "the rest"]
        yield from aligned([_HEADINGS, *rows, rest], left=(4,))
    else:
        yield "nothing of weight repeats"


def _rows(thread: ThreadGrammar, one: Repetition, level: int) -> Iterator[list[str]]:
    name = title(thread.events.sites, one)
    yield [
        percent(_share(thread, one.instructions)),
        f"{one.instructions:,}",
        f"{one.times:,}",
        f"{one.instructions // one.times:,}",
        "  " * level + (f"rule {one.rule}: {name}" if one.rule else name),
    ]
    for part in one.inside:
        yield from _rows(thread, part, level + 1)


def _share(thread: ThreadGrammar, instructions: int) -> float:
    return instructions / thread.events.instructions


def _plain_thread(thread: ThreadGrammar) -> dict[str, Any]:
    events, grammar = thread.events, thread.grammar
    return {
        "run": events.run,
        "thread": events.thread,
        "instructions": events.instructions,
        "events": len(events),
        "pruned_sites": len(events.pruned),
        "rules": len(grammar) - 1,
        "symbols": len(grammar.symbols),
        "repetitions": [_plain(events.sites, one) for one in thread.repetitions],
    }


def _plain(sites: Sites, one: Repetition) -> dict[str, Any]:
    return {
        "rule": one.rule,
        "times": one.times,
        "instructions": one.instructions,
        "site": sites.name(one.site) if one.site >= 0 else None,
        "place": title(sites, one),
        "inside": [_plain(sites, part) for part in one.inside],
    }
