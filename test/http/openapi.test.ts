import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import type { JsonSchema, Parameter } from '../../src/http/documents/openapi-types.ts';
import { ask } from '../support/api-server.ts';
import { startWithDocument } from '../support/documented-api.ts';
import { createOpenapiChecker } from '../support/openapi-checker.ts';

const OF_DOCUMENT = /^\/(api|log|(?:feed|record)\.\w+)(\/|$)/;

/** ISO 8601 with milliseconds and Z, and the two formats of the contract. */
const TIME_PATTERNS = [
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.source,
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.source,
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.source,
];
const TIME_NAME = /(^|_)(at|since|until|seen)$|^as_of$|^latest_alert$|^end_date$/;
/** Of requests: several formats are accepted. */
const GIVEN = ['CreatePreset', 'PresetFilters'];

const exampleOf = ({ example, examples }: Parameter) => String(example ?? examples?.['example']?.value);

type Documented = Awaited<ReturnType<typeof startWithDocument>>['operations'][number];

/** The address of an operation with the examples of its path, and of its query where that is `chosen`. */
function addressOf({ path, operation: { parameters = [] } }: Documented, chosen: readonly Parameter[]) {
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, one) => text.replace(`{${one.name}}`, encodeURIComponent(exampleOf(one))), path);
  const query = new URLSearchParams();
  for (const one of chosen) if (one.in === 'query') query.set(one.name, exampleOf(one));
  return `${filled}?${query}`;
}

describe('the OpenAPI document', () => {
  test('an outside validator accepts it', async () => {
    const { document } = await startWithDocument();
    const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)));
    expect([valid, errors]).toEqual([true, undefined]);
  });

  test('every route of the API and of the log has an operation, and every operation a route', async () => {
    const { app, operations } = await startWithDocument();
    const routes = app.routeTable
      .filter(({ method, url }) => method !== 'HEAD' && OF_DOCUMENT.test(url))
      .map(({ method, url }) => `${method.toLowerCase()} ${url.replaceAll(/:(\w+)/g, '{$1}')}`);
    expect(operations.map(({ name }) => name).toSorted()).toEqual(routes.toSorted());
  });

  test('an operation is documented without a key if, and only if, it answers without one', async () => {
    const { operations, baseUrl } = await startWithDocument();
    for (const { method, path, operation } of operations) {
      const url = baseUrl + path.replaceAll(/\{\w+\}/g, '1');
      const { status } = await ask(url, { method: method.toUpperCase() });
      expect(status === 401, path).toBe(operation.security === undefined);
    }
  });

  test('every operation has a name of its own, and says what it is; every field is described', async () => {
    const { document, operations } = await startWithDocument();
    const tags = document.tags.map(({ name }) => name);
    for (const { name, operation } of operations) {
      const { operationId, summary, description, parameters = [] } = operation;
      expect.soft(operationId, name).toMatch(/^[a-z][A-Za-z]+$/);
      expect.soft([summary, description], name).toEqual([expect.any(String), expect.any(String)]);
      expect.soft(operation.tags, name).toEqual([expect.toBeOneOf(tags)]);
      for (const { name: parameter, description: text } of parameters)
        expect.soft(text, `${name} ${parameter}`).toEqual(expect.any(String));
    }
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const bare = Object.entries(document.components.schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties as Record<string, { description?: string; $ref?: string }>)
        .filter(([, schema]) => schema.description === undefined && schema.$ref === undefined)
        .map(([field]) => `${name}.${field}`),
    );
    expect(bare).toEqual([]);
  });

  test('every example of an answer is there, and fits its schema', async () => {
    const { document, operations } = await startWithDocument();
    const check = createOpenapiChecker(document);
    for (const { method, path, operation } of operations) {
      for (const [status, answer] of Object.entries(operation.responses)) {
        const [[contentType, { example }] = ['', {}]] = Object.entries(answer.content ?? {});
        if (contentType === '') continue;
        const body = contentType.endsWith('json') ? JSON.stringify(example) : String(example);
        const asked = { method, path, status: Number(status), contentType, body };
        expect.soft(check(asked), `${method} ${path} ${status}`).toBeNull();
      }
    }
  });

  test('no example of a request is refused: the parameters of each operation one by one and together, and each body', async () => {
    const { baseUrl, operations, issue } = await startWithDocument({ publicRequestsPerMinute: null });
    const { secret } = await issue({ tier: 'enterprise' });
    const json = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    for (const documented of operations) {
      const { name, method, operation } = documented;
      const { parameters = [], requestBody } = operation;
      const { content } = (requestBody ?? {}) as { content?: Record<string, { example?: unknown }> };
      const example = content?.['application/json']?.example;
      expect(example !== undefined, `${name} has an example of its body`).toBe(requestBody !== undefined);
      const body = example === undefined ? {} : { body: JSON.stringify(example), headers: json };
      for (const chosen of [[], parameters, ...parameters.map((one) => [one])]) {
        const headers = { authorization: `Bearer ${secret}` };
        const url = baseUrl + addressOf(documented, chosen);
        const { status, text } = await ask(url, { method: method.toUpperCase(), headers, ...body });
        expect.soft([url, [400, 415, 422].includes(status) && text]).toEqual([url, false]);
      }
    }
  });

  test('every time of an answer has a pattern', async () => {
    const { document } = await startWithDocument();
    const times = Object.entries(document.components.schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties as Record<string, JsonSchema>)
        .filter(([field]) => TIME_NAME.test(field) && !GIVEN.includes(name))
        .map(([field, schema]) => ({ at: `${name}.${field}`, schemas: [schema, ...anyOf(schema)] }))
        .filter(({ schemas }) => schemas.some(({ type, format }) => type === 'string' && format !== 'date')),
    );
    expect(times.length).toBeGreaterThan(20);
    const hasPattern = ({ pattern }: JsonSchema) => TIME_PATTERNS.includes(String(pattern));
    expect(times.filter(({ schemas }) => !schemas.some(hasPattern)).map(({ at }) => at)).toEqual([]);
  });

  test('answers are open: a new field breaks no client that validates', async () => {
    const { document } = await startWithDocument();
    const closed = Object.entries(document.components.schemas)
      .filter(([, schema]) => schema['additionalProperties'] === false)
      .map(([name]) => name);
    expect(closed).toEqual(['GivenWebhookFilters', 'RegisterWebhook', 'UpdateWebhook']);
  });
});

const anyOf = (schema: JsonSchema) => (schema['anyOf'] ?? []) as readonly JsonSchema[];
