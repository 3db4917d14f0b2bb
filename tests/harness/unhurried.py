"""Generated cases without a limit of time: a busy machine is no fault of what is tested."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
"""The settings of a test with `given`; its decorator as well."""
