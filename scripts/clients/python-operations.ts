import type { Parameter } from '../../src/http/documents/openapi-types.ts';
import type { ClientOperation } from './operations.ts';
import { capitalised, docstring, type PythonTypes } from './python-types.ts';

const HEAD = `"""The operations of the API as methods."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from . import types

_NOTHING: Mapping[str, Any] = {}
`;

const KEYWORDS = new Set('from import in is not or and class def global pass'.split(' '));

export function pythonOperations(operations: readonly ClientOperation[], types: PythonTypes): string {
  return [HEAD, ...[false, true].map((isAsync) => classOf(operations, types, isAsync))].join('\n');
}

function classOf(operations: readonly ClientOperation[], types: PythonTypes, isAsync: boolean): string {
  const define = isAsync ? 'async def' : 'def';
  const call = `    ${define} _call(
        self,
        method: str,
        path: str,
        *,
        values: Mapping[str, Any] = _NOTHING,
        query: Mapping[str, Any] = _NOTHING,
        headers: Mapping[str, str | None] = _NOTHING,
        body: Any = None,
    ) -> Any:
        raise NotImplementedError
`;
  const methods = operations.map((operation) => methodOf(operation, types, isAsync));
  return `\nclass ${isAsync ? 'AsyncOperations' : 'Operations'}:\n${[call, ...methods].join('\n')}`;
}

function methodOf(operation: ClientOperation, types: PythonTypes, isAsync: boolean): string {
  const { id, method, path, summary, values, query, headers, body, answer } = operation;
  const named = capitalised(id);
  const typeOf = (schema: Parameter['schema'], name: string) =>
    types.annotation(schema, `${named}${name}`, 'types.');
  const parameters = [
    'self',
    ...values.map(({ name, schema }) => `${nameOf(name)}: ${typeOf(schema, capitalised(name))}`),
    ...(body === null ? [] : [`body: ${typeOf(body, 'Body')}`]),
    ...(query.length + headers.length > 0 ? ['*'] : []),
    ...[...query, ...headers].map(({ name, schema, required = false }) => {
      const annotation = typeOf(schema, capitalised(name));
      return `${nameOf(name)}: ${annotation}${required ? '' : ' | None = None'}`;
    }),
  ];
  const result = answer === null ? 'None' : answer === 'text' ? 'str' : typeOf(answer, 'Answer');
  const sent = [
    `"${method}"`,
    `"${path}"`,
    ...mapping('values', values),
    ...mapping('query', query),
    ...mapping('headers', headers),
    ...(body === null ? [] : ['body=body']),
  ];
  const [define, wait] = isAsync ? ['async def', 'await '] : ['def', ''];
  return `    ${define} ${snake(id)}(${parameters.join(', ')}) -> ${result}:
        ${docstring(`${summary}: \`${method} ${path}\`.`)}
        return ${wait}self._call(${sent.join(', ')})  # type: ignore[no-any-return]
`;
}

function mapping(name: string, parameters: readonly Parameter[]): string[] {
  if (parameters.length === 0) return [];
  const entries = parameters.map((parameter) => `"${parameter.name}": ${nameOf(parameter.name)}`);
  return [`${name}={${entries.join(', ')}}`];
}

function nameOf(parameter: string): string {
  const name = parameter.toLowerCase().replaceAll(/\W+/g, '_');
  return KEYWORDS.has(name) ? `${name}_` : name;
}

function snake(id: string): string {
  return id.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase();
}
