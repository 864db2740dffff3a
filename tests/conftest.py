"""What all tests need of the machine."""

from __future__ import annotations

import os

# scikit-learn, an oracle of ours, else warns where it cannot tell cores from threads; warnings are errors.
os.environ.setdefault("LOKY_MAX_CPU_COUNT", str(os.cpu_count() or 1))
