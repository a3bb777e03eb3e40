import type { Parameter } from '../../src/http/documents/openapi-types.ts';
import type { ClientList } from './lists.ts';
import type { ClientOperation } from './operations.ts';
import { capitalised, docstring, type PythonTypes } from './python-types.ts';

const HEAD = `"""The operations of the API as methods."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any, Literal

from . import types

_NOTHING: Mapping[str, Any] = {}
`;

export function pythonOperations(operations: readonly ClientOperation[], types: PythonTypes): string {
  return [HEAD, ...[false, true].map((isAsync) => classOf(operations, types, isAsync))].join('\n');
}

function classOf(operations: readonly ClientOperation[], types: PythonTypes, isAsync: boolean): string {
  const [define, iterator] = isAsync ? ['async def', 'AsyncIterator'] : ['def', 'Iterator'];
  const calls = `    ${define} _call(
        self,
        method: str,
        path: str,
        *,
        values: Mapping[str, Any] = _NOTHING,
        query: Mapping[str, Any] = _NOTHING,
        body: Any = None,
    ) -> Any:
        raise NotImplementedError

    def _items(
        self, name: str, path: str, *, values: Mapping[str, Any] = _NOTHING, query: Mapping[str, Any] = _NOTHING
    ) -> ${iterator}[Any]:
        raise NotImplementedError
`;
  const methods = operations.flatMap((operation) => [
    methodOf(operation, types, isAsync),
    ...(operation.list === null ? [] : [iteratorOf(operation, operation.list, { types, iterator })]),
  ]);
  return `\nclass ${isAsync ? 'AsyncOperations' : 'Operations'}:\n${[calls, ...methods].join('\n')}`;
}

function methodOf(operation: ClientOperation, types: PythonTypes, isAsync: boolean): string {
  const { id, method, path, summary, values, query, body, answer } = operation;
  const result =
    answer === null
      ? 'None'
      : answer === 'text'
        ? 'str'
        : types.annotation(answer, `${capitalised(id)}Answer`, 'types.');
  const sent = [
    `"${method}"`,
    `"${path}"`,
    ...mapping('values', values),
    ...mapping('query', query),
    ...(body === null ? [] : ['body=body']),
  ];
  const [define, wait] = isAsync ? ['async def', 'await '] : ['def', ''];
  return `    ${define} ${snakeCase(id)}(${parametersOf(operation, types)}) -> ${result}:
        ${docstring(`${summary}: \`${method} ${path}\`.`)}
        return ${wait}self._call(${sent.join(', ')})  # type: ignore[no-any-return]
`;
}

function iteratorOf(
  operation: ClientOperation,
  { name, items, item, defaults }: ClientList,
  { types, iterator }: { readonly types: PythonTypes; readonly iterator: string },
): string {
  const { path, summary, values, query } = operation;
  const result = types.annotation(item, `${capitalised(name)}Item`, 'types.');
  const sent = [
    `"${items}"`,
    `"${path}"`,
    ...mapping('values', values),
    ...mapping('query', query, defaults),
  ];
  return `    def ${snakeCase(name)}(${parametersOf(operation, types)}) -> ${iterator}[${result}]:
        ${docstring(`${summary}, through all pages: \`${items}\` of \`GET ${path}\`.`)}
        return self._items(${sent.join(', ')})
`;
}

function parametersOf({ id, values, query, body }: ClientOperation, types: PythonTypes): string {
  const typeOf = (schema: Parameter['schema'], name: string) =>
    types.annotation(schema, `${capitalised(id)}${name}`, 'types.');
  const parameters = [
    'self',
    ...values.map(({ name, schema }) => `${pythonName(name)}: ${typeOf(schema, capitalised(name))}`),
    ...(body === null ? [] : [`body: ${typeOf(body, 'Body')}`]),
    ...(query.length > 0 ? ['*'] : []),
    ...query.map(({ name, schema, required = false }) => {
      const annotation = typeOf(schema, capitalised(name));
      return `${pythonName(name)}: ${annotation}${required ? '' : ' | None = None'}`;
    }),
  ];
  return parameters.join(', ');
}

function mapping(
  name: string,
  parameters: readonly Parameter[],
  defaults: ClientList['defaults'] = {},
): string[] {
  if (parameters.length === 0) return [];
  const entries = parameters.map((parameter) => {
    const [given, usual] = [pythonName(parameter.name), defaults[parameter.name]];
    return `"${parameter.name}": ${usual === undefined ? given : `${usual} if ${given} is None else ${given}`}`;
  });
  return [`${name}={${entries.join(', ')}}`];
}

const KEYWORDS = new Set('from import in is not or and class def global pass'.split(' '));

/** What a parameter is called in the client. */
function pythonName(parameter: string): string {
  const name = parameter.toLowerCase().replaceAll(/\W+/g, '_');
  return KEYWORDS.has(name) ? `${name}_` : name;
}

/** What an operation is called there. */
function snakeCase(id: string): string {
  return id.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase();
}
