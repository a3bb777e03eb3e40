"""Imports every module of a client of openapi-python-client, and calls every operation with it.

Arguments: address, file of the calls. Environment: TIPOFF_API_KEY.
"""

import importlib
import json
import os
import pkgutil
import re
import sys
import typing

import tipoff_client

address, calls_file = sys.argv[1:]
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


def snake(name):
    return re.sub(r"(?<!^)(?<!_)(?=[A-Z])", "_", name.replace("-", "_")).lower()


def plain(value):
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value.to_dict() if hasattr(value, "to_dict") else value


def call(operation, parameters, body):
    module = operations[snake(operation)]
    hints = typing.get_type_hints(module.sync_detailed)
    given = {}
    for parameter in parameters:
        name, value = snake(parameter["name"]), parameter["value"]
        if value is not None:
            given[name] = as_enum(hints[name], value)
    if body is not None:
        given["body"] = model_of(hints["body"]).from_dict(body)
    answer = module.sync_detailed(client=client, **given)
    if not 200 <= int(answer.status_code) < 300:
        raise RuntimeError(f"{int(answer.status_code)} {answer.content.decode()}")
    return plain(answer.parsed)


def model_of(hint):
    """The class of a parameter that may also be unset."""
    classes = [hint, *typing.get_args(hint)]
    return next(each for each in classes if hasattr(each, "from_dict"))


def as_enum(hint, value):
    for each in [hint, *typing.get_args(hint)]:
        if isinstance(each, type) and issubclass(each, str) and each is not str:
            return each(value)
    return value


with open(calls_file, encoding="utf-8") as file:
    calls = json.load(file)
for each in calls:
    name = each["operation"]
    try:
        parsed = call(name, each["parameters"], each.get("body"))
        print(json.dumps({"operation": name, "parsed": parsed}))
    except Exception as error:  # pylint: disable=broad-except
        print(json.dumps({"operation": name, "error": repr(error)}))
