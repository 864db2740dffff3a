"""`python -m phasemark`."""

from phasemark.cli import main

main()
