import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import type { Parameter } from '../../src/http/documents/openapi-types.ts';
import { ask } from '../support/api-server.ts';
import { startWithDocument } from '../support/documented-api.ts';
import { createOpenapiChecker } from '../support/openapi-checker.ts';

const OF_DOCUMENT = /^\/(api|log|(?:feed|record)\.\w+)(\/|$)/;

const exampleOf = ({ example }: Parameter) => String(example);

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

  test('answers are open: a new field breaks no client that validates', async () => {
    const { document } = await startWithDocument();
    const closed = Object.entries(document.components.schemas)
      .filter(([, schema]) => schema['additionalProperties'] === false)
      .map(([name]) => name);
    expect(closed).toEqual(['GivenWebhookFilters', 'RegisterWebhook', 'UpdateWebhook']);
  });
});
