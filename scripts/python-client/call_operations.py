"""Imports every module of the generated package `tipoff_client`, and calls every operation with it.

Arguments: the address of a running service, and the file of its OpenAPI document. Environment: TIPOFF_API_KEY, an Enterprise key.
"""

import importlib
import json
import os
import pkgutil
import re
import sys

import tipoff_client
from tipoff_client import models

address, document_file = sys.argv[1:]
client = tipoff_client.AuthenticatedClient(
    base_url=address, token=os.environ["TIPOFF_API_KEY"], raise_on_unexpected_status=True
)
modules = [
    importlib.import_module(name)
    for _, name, _ in pkgutil.walk_packages(tipoff_client.__path__, "tipoff_client.")
]
operations = {
    module.__name__.rpartition(".")[2]: module for module in modules if hasattr(module, "sync_detailed")
}
called = set()


def call(operation, **arguments):
    """The answer as the client parsed it, which must say the same as its bytes."""
    answer = operations[operation].sync_detailed(client=client, **arguments)
    called.add(operation)
    status = int(answer.status_code)
    if not 200 <= status < 300:
        raise SystemExit(f"{operation}: {status} {answer.content.decode()}")
    if status != 204 and not is_same(plain(answer.parsed), content_of(answer)):
        raise SystemExit(f"{operation}: {answer.content.decode()} was read as {answer.parsed}")
    return answer.parsed


def content_of(answer):
    text = answer.content.decode()
    return json.loads(text) if "json" in answer.headers["content-type"] else text


def plain(value):
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value.to_dict() if hasattr(value, "to_dict") else value


def is_same(one, other):
    """Moments are written in two ways; they agree to the second."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_same, one, other))
    if isinstance(one, str) and isinstance(other, str):
        return one == other or ("T" in one and one[:19] == other[:19])
    return one == other


def documented_operations():
    with open(document_file, encoding="utf-8") as file:
        paths = json.load(file)["paths"]
    ids = [operation["operationId"] for methods in paths.values() for operation in methods.values()]
    return {re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower() for name in ids}


call("get_api_description")
call("get_stream_description")
call("get_hot_markets", limit=3)
call("get_coverage", limit=3)
call("get_key_info")
call("get_stats")

call("get_log_head")
call("get_log", after=0, limit=3)
last = call("list_outcomes", after=0, limit=3).last
call("get_outcome", number=last, limit=3)
month = call("get_log_index").months[0].month
call("get_log_file", month=month)
call("get_log_file_digest", month=month)

latest = call("get_latest_alerts", limit=3)
call("get_alert", id=latest[0].id)

call("get_wallet", address=latest[0].wallet_address)
details = models.Expand.DETAILS
market = call("search_alerts", page_size=1, expand=details).alerts[0].market_id
call("get_market", market_id=market, expand=details)
call("get_sandbox_alerts")
call("get_json_feed", min_signal=1)
call("get_atom_feed")

filters = {"min_signal": 1, "side": "BUY"}
preset = call("create_preset", body=models.CreatePreset.from_dict({"name": "A", "filters": filters}))
call("list_presets")
call("get_preset", id=preset.id)
call("search_alerts", preset=preset.id, min_usdc=1000.5, resolved=True)
call("preview_filter", preset=preset.id, min_usdc=1000.5)
call("replace_preset", id=preset.id, body=models.CreatePreset.from_dict({"name": "B", "filters": {}}))
call("delete_preset", id=preset.id)

url = {"url": "https://example.com/hook", "min_signal": 70}
webhook = call("register_webhook", body=models.RegisterWebhook.from_dict(url)).id
first = call("list_webhooks")[0].id
call("get_webhook", webhook_id=webhook)
call("update_webhook", webhook_id=webhook, body=models.UpdateWebhook.from_dict({"paused": True}))
call("rotate_webhook_secret", webhook_id=webhook)
call("test_webhook", webhook_id=webhook)
call("list_webhook_deliveries", webhook_id=webhook, limit=3)
call("redeliver_webhook", webhook_id=first, delivery_id="msg_1_archive")
call("delete_webhook", webhook_id=webhook)

missing = documented_operations() ^ called
if missing:
    raise SystemExit(f"not generated, or not called here: {', '.join(sorted(missing))}")
print(len(called))
