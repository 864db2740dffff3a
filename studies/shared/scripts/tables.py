"""Counts, sorts, multiplies and formats what a file of lines holds: several kinds of work in one run."""

import sys
from pathlib import Path

lines = Path(sys.argv[1]).read_text().split("\n")[::6]
counts: dict[str, int] = {}
for line in lines:
    for word in line.split():
        counts[word] = counts.get(word, 0) + 1
ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
size = 60
left = [[(i * j) % 17 for j in range(size)] for i in range(size)]
right = [[(i + j) % 13 for j in range(size)] for i in range(size)]
for _ in range(2):
    columns = list(zip(*right, strict=True))
    left = [
        [sum(a * b for a, b in zip(row, column, strict=True)) % 1009 for column in columns] for row in left
    ]
numbers = sorted((int(line) for line in lines if line.isdigit()), key=lambda n: str(n)[::-1])
primes = [n for n in range(2, 6000) if all(n % d for d in range(2, int(n**0.5) + 1))]
text = "\n".join(f"{word:>20} {count:8d}" for word, count in ranked)
print(len(text), sum(map(sum, left)), numbers[:3], len(primes))
