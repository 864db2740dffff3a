"""Traces -> what repeats in them, for a person to see the loops that make a run's phases."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass

from phasemark.errors import UsageError, counted
from phasemark.intervals import Grammar, Repetition, heaviest, sequitur
from phasemark.model import Events
from phasemark.workflow.result import Result


@dataclass(frozen=True)
class GrammarOptions:
    """What is told: so many rules of a thread, levels within them, parts of each, and from which share on."""

    most: int = 10
    depth: int = 4
    inside: int = 3
    smallest: float = 0.01

    def __post_init__(self) -> None:
        for name in ("most", "depth", "inside"):
            if (number := getattr(self, name)) < 1:
                raise UsageError(f"{name} is {number}", hint="give a whole number from 1")
        if not 0 <= self.smallest <= 1:
            raise UsageError(f"smallest is {self.smallest}", hint="give a share from 0 to 1, as 0.01 for 1%")


@dataclass(frozen=True, repr=False)
class ThreadGrammar(Result):
    """The grammar of one thread's trace.

    Attributes:
        events: the grammar is of their symbols.
        grammar: of all of them.
        repetitions: the heaviest rules, disjoint, and what is inside them.
    """

    events: Events
    grammar: Grammar
    repetitions: tuple[Repetition, ...]

    @property
    def rest(self) -> int:
        """Instructions in none of the repetitions."""
        return self.events.instructions - sum(one.instructions for one in self.repetitions)


@dataclass(frozen=True, repr=False)
class GrammarResult(Result):
    """What repeats in a run.

    Attributes:
        threads: by run and number.
        options: as asked for.
    """

    threads: tuple[ThreadGrammar, ...]
    options: GrammarOptions

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know, one sentence each."""
        empty = [one.events for one in self.threads if not len(one.grammar.symbols)]
        still = [events for events in empty if not len(events.pruned)]
        pruned = [events for events in empty if len(events.pruned)]
        notes = []
        if still:
            notes.append(f"no event in the trace of {_named(still)}")
        if pruned:
            notes.append(
                f"all events of {_named(pruned)} were left out: each of their places recurs more often than "
                f"once in {counted(pruned[0].every, 'instruction')}; with --every 0, none is"
            )
        return tuple(notes)


def _named(threads: Iterable[Events]) -> str:
    return f"thread {', '.join(str(events.thread) for events in threads)}"


def grammars(threads: Iterable[Events], options: GrammarOptions | None = None) -> GrammarResult:
    """The heaviest rules of each thread's trace.

    Args:
        threads: their traces, pruned or whole.
        options: None: the defaults.

    Raises:
        WorkError: a grammar is too large.
    """
    wanted = options or GrammarOptions()
    return GrammarResult(tuple(_of_thread(events, wanted) for events in threads), wanted)


def _of_thread(events: Events, wanted: GrammarOptions) -> ThreadGrammar:
    grammar = sequitur(events.symbol)
    told = heaviest(grammar, events, **asdict(wanted))
    return ThreadGrammar(events, grammar, told)
