"""The alerts and the dashboard ask for what the service tells: each metric, each label and each status exists."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

import migrations
from api.rest.running.metrics import Metrics
from ledger.store.database.errors import Unwritable

ROOM = Path(migrations.__file__).parent
RULES = yaml.safe_load((ROOM / "deploy" / "alerts.yaml").read_text())["groups"][0]["rules"]
SCENARIOS = yaml.safe_load((ROOM / "deploy" / "alerts_test.yaml").read_text())
PANELS = json.loads((ROOM / "deploy" / "dashboard.json").read_text())["panels"]
README = (ROOM / "README.md").read_text().partition("## Metrics\n")[2].partition("\n## ")[0]

ALERTS = [rule["expr"] for rule in RULES]
FIGURES = [target["expr"] for panel in PANELS for target in panel["targets"]]
OF_PROMETHEUS = {"job", "instance"}


def without_service(expression: str) -> str:
    """An expression of the dashboard, for all services, as the README has it."""
    return re.sub(r'\{instance=~"\$instance"(?:, )?', "{", expression).replace("{}", "")


def metrics_of(expression: str) -> set[str]:
    return set(re.findall(r"\bmabligop_\w+", expression))


def labels_of(expression: str) -> set[str]:
    """The labels that an expression selects, and those that it keeps."""
    selected = re.findall(r"(\w+)(?:=~|!=|!~|=)\"", expression)
    kept = re.findall(r"\b(?:by|on) \(([^)]+)\)", expression)
    return {*selected, *(label.strip() for labels in kept for label in labels.split(","))}


@pytest.fixture(scope="module")
def told() -> dict[str, set[str]]:
    """The metrics of a service with the labels of each, once everything has happened."""
    metrics = Metrics()
    metrics.request("GET", "/readyz", 503, 0.1, Unwritable.__name__)
    labels = defaultdict[str, set[str]](set)
    for family in text_string_to_metric_families(metrics.exposition(public=False).decode()):
        for sample in family.samples:
            labels[sample.name] |= set(sample.labels)
    return labels


@pytest.mark.parametrize("expression", [*ALERTS, *FIGURES])
def test_every_metric_and_label_exists(expression: str, told: dict[str, set[str]]) -> None:
    names = metrics_of(expression) or {"up"}
    exist = OF_PROMETHEUS.union(*(told[name] for name in names if name in told))
    assert names - told.keys() - {"up"} == set()
    assert labels_of(expression) - exist == set()


def test_the_dashboard_has_the_figures_of_the_readme() -> None:
    table = README.partition("| figure | PromQL |")[2].partition("\n\n")[0]
    assert sorted(re.findall(r"`(.+?)`(?=,| \|)", table)) == sorted(map(without_service, FIGURES))


def test_every_metric_is_in_the_dashboard(told: dict[str, set[str]]) -> None:
    """A quantile needs the buckets of a time, and a mean both others."""
    shown = set().union(*map(metrics_of, FIGURES))
    assert {re.sub("_(bucket|sum|count)$", "", name) for name in told} == {
        re.sub("_(bucket|sum|count)$", "", name) for name in shown
    }


def test_the_readme_says_when_each_alert_fires() -> None:
    table = README.partition("| alert | fires |")[2].partition("\n\n")[0]
    assert re.findall(r"`(Mabligop\w+)`", table) == [rule["alert"] for rule in RULES]


def test_each_alert_has_a_scenario_in_which_it_fires_and_one_in_which_it_does_not() -> None:
    tried: dict[bool, set[str]] = defaultdict(set)
    for scenario in SCENARIOS["tests"]:
        for trial in scenario["alert_rule_test"]:
            tried["exp_alerts" in trial].add(trial["alertname"])
            for fires in trial.get("exp_alerts", ()):
                (rule,) = (rule for rule in RULES if rule["alert"] == trial["alertname"])
                assert fires["exp_labels"]["severity"] == rule["labels"]["severity"]
    assert tried[True] == tried[False] == {rule["alert"] for rule in RULES}


def test_panels_do_not_overlap() -> None:
    taken = [
        (x, y)
        for place in (panel["gridPos"] for panel in PANELS)
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(taken) == len(set(taken))
    assert len({panel["id"] for panel in PANELS}) == len(PANELS)


def expressions(rules: list[dict[str, Any]], panels: list[dict[str, Any]]) -> list[str]:
    """All expressions, with every service for the service of the dashboard."""
    asked = [target["expr"].replace("$instance", ".*") for panel in panels for target in panel["targets"]]
    return [*(rule["expr"] for rule in rules), *asked]
