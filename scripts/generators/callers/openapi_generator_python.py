"""Calls every operation with a client of openapi-generator's python.

Arguments: address, file of the calls. Environment: TIPOFF_API_KEY.
"""

import inspect
import json
import os
import re
import sys

import openapi_client

address, calls_file = sys.argv[1:]
configuration = openapi_client.Configuration(host=address, access_token=os.environ["TIPOFF_API_KEY"])
client = openapi_client.ApiClient(configuration)


def snake(name):
    return re.sub(r"(?<!^)(?<!_)(?=[A-Z])", "_", name.replace("-", "_")).lower()


def call(tag, operation, parameters, body):
    method = getattr(getattr(openapi_client, f"{tag}Api")(client), snake(operation))
    known = {snake(parameter["name"]) for parameter in parameters}
    given = {snake(each["name"]): each["value"] for each in parameters if each["value"] is not None}
    if body is not None:
        names = [name for name in inspect.signature(method).parameters if not name.startswith("_")]
        [name] = [name for name in names if name not in known]
        given[name] = body
    return client.sanitize_for_serialization(method(**given))


with open(calls_file, encoding="utf-8") as file:
    calls = json.load(file)
for each in calls:
    operation = each["operation"]
    try:
        parsed = call(each["tag"], operation, each["parameters"], each.get("body"))
        print(json.dumps({"operation": operation, "parsed": parsed}))
    except Exception as error:  # pylint: disable=broad-except
        print(json.dumps({"operation": operation, "error": repr(error)}))
