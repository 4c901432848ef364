"""The dashboard and the alerts name only what a server exports."""

import json
import re
import subprocess
import sys
from pathlib import Path

import yaml
from prometheus_client.parser import text_string_to_metric_families

from protocol.vocabulary import CloseCode, ErrorCode
from server import metrics
from server.web.proxies import NGINX_FIXES
from server.web.routes import FILES

ROOT = Path(__file__).parents[1]
DASHBOARD = ROOT / "deploy/grafana/spider-race.json"
ALERTS = ROOT / "deploy/prometheus/alerts.yml"
NAME = re.compile(r"\b(?:spider_race|process)_\w+")
LABELS = re.compile(r"\bby \(([^)]*)\)")
OF_PROMETHEUS = {"instance", "worker"}  # labels that a scrape or several workers add


async def exported() -> tuple[set[str], set[str]]:
    """Return the names of all samples and of their labels."""
    names, labels = set(), set(OF_PROMETHEUS)
    for family in text_string_to_metric_families((await metrics.exposition()).decode()):
        names.add(family.name)
        for sample in family.samples:
            names.add(sample.name)
            labels |= set(sample.labels)
    return names, labels


def expressions() -> dict[str, str]:
    """Return all expressions, by purpose."""
    rules = yaml.safe_load(ALERTS.read_text())["groups"][0]["rules"]
    panels = json.loads(DASHBOARD.read_text())["panels"]
    targets = [(panel["title"], each) for panel in panels for each in panel["targets"]]
    shown = {f"{title} {each['refId']}": each["expr"] for title, each in targets}
    return {**{rule["alert"]: rule["expr"] for rule in rules}, **shown}


async def test_an_expression_names_only_exported_metrics_and_labels() -> None:
    names, labels = await exported()
    for what, expression in expressions().items():
        used = set(NAME.findall(expression))
        assert used <= names, what
        assert used or expression.startswith("up{"), what
        for group in LABELS.findall(expression):
            assert {label.strip() for label in group.split(",")} <= labels | {"le"}, what


def test_the_dashboard_shows_every_metric_of_ours() -> None:
    text = DASHBOARD.read_text()
    for family in metrics.REGISTRY.collect():
        if family.name.startswith("spider_race_"):
            assert family.name in text, family.name


def test_counters_with_labels_are_there_before_their_first_event() -> None:
    """Regression: an alert on their growth missed the first event, which had no value before."""
    code = "from server import metrics; print(metrics.generate_latest(metrics.REGISTRY).decode())"
    new = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    counted = {
        sample.name.removesuffix("_total"): {
            next(iter(each.labels.values()), "") for each in family.samples
        }
        for family in text_string_to_metric_families(new.stdout)
        for sample in family.samples
        if sample.name.endswith("_total")
    }
    assert counted["spider_race_refusals"] == set(ErrorCode)
    assert counted["spider_race_closes"] == {str(int(code)) for code in CloseCode}
    assert counted["spider_race_handshakes_refused"] == set(NGINX_FIXES)
    assert counted["spider_race_replay_seconds"] >= set(FILES.values())
    used = re.compile(r'metrics\.(\w+)\.labels\("([^"]+)"')
    texts = [path.read_text() for path in (ROOT / "server").rglob("*.py")]
    found = {each for text in texts for each in used.findall(text)}
    assert len(found) > 5
    assert not [each for each in found if each[1] not in counted[f"spider_race_{each[0]}"]]
