"""Sequitur, slowly and plainly: the oracle for the kernel.

After each symbol every pair that is new is looked for in the whole grammar, and a rule's uses are counted
anew: there is no table that could be wrong. "Variable length intervals" 8.1.2; Nevill-Manning and Witten,
1997.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence


class Place:
    """A symbol at a place of a rule, or the mark at which a rule begins and ends."""

    def __init__(self, value: int | Rule) -> None:
        self.value = value
        self.prev = self.next = self

    @property
    def is_mark(self) -> bool:
        return isinstance(self.value, Rule) and self.value.mark is self

    @property
    def begins_pair(self) -> bool:
        return not self.is_mark and not self.next.is_mark

    def is_like(self, other: Place) -> bool:
        """Whether two pairs are equal."""
        return self.value == other.value and self.next.value == other.next.value

    def overlaps(self, other: Place) -> bool:
        return self is other or self.next is other or other.next is self


class Rule:
    """A rule: a ring of places, closed by the mark."""

    def __init__(self) -> None:
        self.mark = Place(self)

    def places(self) -> Iterator[Place]:
        place = self.mark.next
        while place is not self.mark:
            yield place
            place = place.next

    def is_pair(self) -> bool:
        return len(list(self.places())) == 2


def link(left: Place, right: Place) -> None:
    left.next, right.prev = right, left


class Sequitur:
    """The grammar of the symbols appended so far."""

    def __init__(self) -> None:
        self.start = Rule()
        self.rules = [self.start]
        self.new: list[Place] = []  # places whose pair nobody has looked for yet, the next one last

    def append(self, symbol: int) -> None:
        place, last = Place(symbol), self.start.mark.prev
        link(place, self.start.mark)
        link(last, place)
        self.new.append(last)
        while self.new:
            self.look(self.new.pop())

    def everywhere(self) -> Iterator[Place]:
        for rule in self.rules:
            yield from rule.places()

    def look(self, place: Place) -> None:
        """Digram uniqueness: make a pair that stands elsewhere too, overlaps aside, one rule's."""
        if not place.begins_pair or not any(place is one for one in self.everywhere()):
            return
        for other in self.everywhere():
            if other.begins_pair and other.is_like(place) and not other.overlaps(place):
                self.unite(place, other)
                return

    def unite(self, place: Place, other: Place) -> None:
        rule = self.rule_of_pair(place, other)
        ones = [self.substitute(one, rule) for one in (other, place) if one is not rule.mark.next]
        self.spare(rule)
        for one in ones:
            self.new += [one, one.prev]

    def rule_of_pair(self, place: Place, other: Place) -> Rule:
        """The rule that is this pair and nothing else; a new one if there is none."""
        for one in (other, place):
            if one.prev.is_mark and one.next.next.is_mark and one.prev.value is not self.start:
                assert isinstance(one.prev.value, Rule)
                return one.prev.value
        rule = Rule()
        first, second = Place(place.value), Place(place.next.value)
        link(rule.mark, first)
        link(first, second)
        link(second, rule.mark)
        self.rules.append(rule)
        return rule

    def substitute(self, place: Place, rule: Rule) -> Place:
        """Put a rule in the place of a pair."""
        one = Place(rule)
        link(place.prev, one)
        link(one, place.next.next)
        return one

    def spare(self, rule: Rule) -> None:
        """Rule utility: what a rule begins or ends with may be used nowhere else now."""
        for place in (rule.mark.next, rule.mark.prev):
            if isinstance(place.value, Rule) and self.uses(place.value) == 1:
                inner = place.value
                before, after = place.prev, place.next
                first, last = inner.mark.next, inner.mark.prev
                link(before, first)
                link(last, after)
                self.rules.remove(inner)
                self.new += [last, before]

    def uses(self, rule: Rule) -> int:
        return sum(place.value is rule for place in self.everywhere())


def numbered(start: Rule) -> list[Rule]:
    """Rules from S on, each after all that use it: as their last uses come up, reading rule after rule."""
    order, left = [start], {}
    reachable = [start]
    for rule in reachable:
        for place in rule.places():
            if isinstance(place.value, Rule):
                if place.value not in left:
                    left[place.value] = 0
                    reachable.append(place.value)
                left[place.value] += 1
    for rule in order:
        for place in rule.places():
            if isinstance(place.value, Rule):
                left[place.value] -= 1
                if not left[place.value]:
                    order.append(place.value)
    return order


def sequitur(symbols: Sequence[int]) -> list[list[int]]:
    """Rules of the grammar, S first; values >= 0 are symbols, -r refers to rule r."""
    grammar = Sequitur()
    for symbol in symbols:
        grammar.append(symbol)
    rules = numbered(grammar.start)
    number = {rule: -row for row, rule in enumerate(rules)}
    return [
        [number[p.value] if isinstance(p.value, Rule) else p.value for p in rule.places()] for rule in rules
    ]


def expand(rules: Sequence[Sequence[int]], rule: int = 0) -> list[int]:
    """The symbols that a rule stands for."""
    out: list[int] = []
    for value in rules[rule]:
        out += [value] if value >= 0 else expand(rules, -value)
    return out
