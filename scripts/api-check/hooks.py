"""Loaded by schemathesis (SCHEMATHESIS_HOOKS): what the document cannot say about a valid request, and the counts of a run.

Each request comes from an address of its own, since the service limits failed keys by address.
"""

import itertools
import json
import os
import sys
import unicodedata
from collections import Counter
from datetime import datetime, timedelta, timezone

import schemathesis
from schemathesis import cli
from schemathesis.engine import events

numbers = itertools.count(1)
MOMENTS = ("since", "until")


@schemathesis.hook
def before_call(context, case, kwargs):
    number = next(numbers)
    address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
    case.headers = {**(case.headers or {}), "X-Forwarded-For": address}
    meta = case.meta
    if meta is None or not meta.generation.mode.is_positive:
        return
    # A key that is used again for another request is refused.
    if "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = f"check-{os.getpid()}-{number}"
    if isinstance(case.query, dict):
        order_moments(case)
    if isinstance(case.body, dict):
        make_valid(case.body)


def order_moments(case):
    """`until` is not before `since`, and a preview is within the last 30 days: rules between values."""
    if case.path.endswith("/alerts/preview"):
        now = datetime.now(timezone.utc)
        for name, days in zip(MOMENTS, (20, 10), strict=True):
            if name in case.query:
                case.query[name] = (now - timedelta(days=days)).strftime("%Y-%m-%d %H:%M:%S")
    elif all(isinstance(case.query.get(name), str) for name in MOMENTS):
        case.query.update(zip(MOMENTS, sorted(case.query[name] for name in MOMENTS), strict=True))


def make_valid(body):
    """A webhook is on the public internet, a name has a visible character, and `__proto__` is refused at any depth."""
    without_prototypes(body)
    if isinstance(body.get("url"), str):
        body["url"] = "https://example.com/" + body["url"].encode().hex()[:40]
    name = body.get("name")
    if isinstance(name, str) and not any(unicodedata.category(one)[0] in "LNPS" for one in name):
        body["name"] = name + "x"


def without_prototypes(value):
    if isinstance(value, dict):
        value.pop("__proto__", None)
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            without_prototypes(each)


@cli.handler()
class Counts(cli.EventHandler):
    """Writes the numbers of cases and checks, and of answers by status to valid and invalid data, to the file named by API_CHECK_COUNTS."""

    def __init__(self, *args, **params):
        self.cases = 0
        self.checks = Counter()
        self.failures = Counter()
        self.valid = Counter()
        self.invalid = Counter()

    def handle_event(self, ctx, event):
        if isinstance(event, events.ScenarioFinished):
            self.add(event.recorder)
        elif isinstance(event, events.EngineFinished):
            self.write()

    def add(self, recorder):
        self.cases += len(recorder.cases)
        for checks in recorder.checks.values():
            for check in checks:
                self.checks[check.name] += 1
                if check.failure_info is not None:
                    self.failures[check.name] += 1
        for name, node in recorder.cases.items():
            interaction = recorder.interactions.get(name)
            # Checks repeat a request without a key and with a wrong one: these are among the valid ones, with 401.
            if node.value.meta is not None and interaction is not None and interaction.response is not None:
                is_valid = node.value.meta.generation.mode.is_positive
                (self.valid if is_valid else self.invalid)[interaction.response.status_code] += 1

    def write(self):
        with open(os.environ["API_CHECK_COUNTS"], "w", encoding="utf-8") as file:
            json.dump(
                {
                    "cases": self.cases,
                    "checks": self.checks,
                    "failures": self.failures,
                    "valid": self.valid,
                    "invalid": self.invalid,
                },
                file,
            )
