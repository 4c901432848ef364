"""The dashboard and the alerts name only what a server exports."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import Counter
from prometheus_client.parser import text_string_to_metric_families

from server import metrics

ROOT = Path(__file__).parents[1]
DASHBOARD = ROOT / "deploy/grafana/spider-race.json"
ALERTS = ROOT / "deploy/prometheus/alerts.yml"
OPERATING = ROOT / "docs/operating.md"
NAME = re.compile(r"\b(?:spider_race|process)_\w+")
LABELS = re.compile(r"\bby \(([^)]*)\)")
OF_PROMETHEUS = {"instance", "worker"}
"""Labels that a scrape adds, and that several workers have."""
OF_COUNTERS = {
    label
    for counter in vars(metrics).values()
    if isinstance(counter, Counter)
    for label in counter._labelnames
}
"""Counters with labels show them only once they have counted something."""


async def exported() -> tuple[set[str], set[str]]:
    """Return the names of all samples and of their labels."""
    names, labels = set(), set(OF_PROMETHEUS)
    for family in text_string_to_metric_families((await metrics.exposition()).decode()):
        # A counter with labels has no sample before it first counts.
        names |= {family.name, f"{family.name}_total", f"{family.name}_info"}
        for sample in family.samples:
            names.add(sample.name)
            labels |= set(sample.labels)
    for gauge in metrics.ProcessGauges(lambda: 0, list).collect():
        names.add(gauge.name)
        labels |= {label for sample in gauge.samples for label in sample.labels}
    return names, labels | OF_COUNTERS


def alerts() -> list[dict[str, Any]]:
    rules: list[dict[str, Any]] = yaml.safe_load(ALERTS.read_text())["groups"][0]["rules"]
    return rules


def panels() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(DASHBOARD.read_text())["panels"]
    return found


def expressions() -> dict[str, str]:
    """Return all expressions, by what they are for."""
    shown = {
        f"{panel['title']} {target['refId']}": target["expr"]
        for panel in panels()
        for target in panel["targets"]
    }
    return {**{rule["alert"]: rule["expr"] for rule in alerts()}, **shown}


@pytest.mark.parametrize("what", expressions())
async def test_an_expression_names_only_exported_metrics_and_labels(what: str) -> None:
    names, labels = await exported()
    expression = expressions()[what]
    used = set(NAME.findall(expression))
    assert used <= names
    assert used or expression.startswith("up{")
    for group in LABELS.findall(expression):
        assert {label.strip() for label in group.split(",")} <= labels | {"le"}


def test_the_dashboard_shows_every_metric_of_ours() -> None:
    text = DASHBOARD.read_text()
    for family in metrics.REGISTRY.collect():
        if family.name.startswith("spider_race_"):
            assert family.name in text, family.name


def test_panels_do_not_overlap() -> None:
    places = [tuple(panel["gridPos"].values()) for panel in panels()]
    assert len({place[:2] for place in places}) == len(places)
    assert len({panel["id"] for panel in panels()}) == len(places)


def test_each_alert_is_explained_to_operators() -> None:
    text = OPERATING.read_text()
    for rule in alerts():
        assert f"`{rule['alert']}`" in text, rule["alert"]
        assert rule["annotations"]["summary"].endswith(".")
        assert rule["labels"]["severity"] in {"critical", "warning"}
