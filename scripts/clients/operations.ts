import type { ApiDocument } from '../../src/http/documents/describe-api.ts';
import { type Endpoint, endpointsOf } from '../../src/http/documents/endpoints.ts';
import type { Answer } from '../../src/http/documents/openapi-types.ts';
import type { JsonSchema, Schemas } from '../../src/http/schemas/json-schema.ts';
import { listOf } from './lists.ts';

export type ClientOperation = ReturnType<typeof clientOperation>;

export function clientOperations({ paths, components }: ApiDocument): readonly ClientOperation[] {
  return endpointsOf(paths).map((endpoint) => clientOperation(endpoint, components.schemas));
}

/** Without headers: `If-None-Match` serves clients that keep answers, and these do not. */
function clientOperation({ path, method, operation }: Endpoint, schemas: Schemas) {
  const { operationId, summary = '', parameters = [], requestBody, responses } = operation;
  if (operationId === undefined) throw new Error(`${method} ${path} has no operationId`);
  const inside = (kind: string) => parameters.filter((parameter) => parameter.in === kind);
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    summary,
    values: inside('path'),
    query: inside('query'),
    body: requestBody?.content['application/json']?.schema ?? null,
    answer: answerOf(success),
    list: listOf(operation, schemas),
  };
}

/** The schema of the success; null without a body, `text` for what is not JSON. */
function answerOf(success: Answer | undefined): JsonSchema | 'text' | null {
  const [first] = Object.entries(success?.content ?? {});
  if (first === undefined) return null;
  const [type, { schema }] = first;
  return /^application\/(?:[\w.]+\+)?json\b/.test(type) ? schema : 'text';
}
