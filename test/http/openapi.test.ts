import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import type { Answer, Operation } from '../../src/http/documents/openapi-types.ts';
import { alertOf } from '../support/alerts.ts';
import { ask, FREE_DELAY_MS } from '../support/api-server.ts';
import { startWithDocument } from '../support/documented-api.ts';
import { appendDrafts, outcomesAt } from '../support/log-entries.ts';
import { createOpenapiChecker } from '../support/openapi-checker.ts';
import { START } from '../support/rows.ts';

const successOf = ({ responses }: Operation): Answer | undefined =>
  Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];

/** Addresses that the document describes. */
const OF_DOCUMENT = /^\/(api|log|sandbox|(?:feed|record)\.\w+)(\/|$)/;

describe('the OpenAPI document', () => {
  test('is public, OpenAPI 3.1, and version 1.0 (contract, Versioning)', async () => {
    const { document } = await startWithDocument();
    expect(document).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\.\d$/),
      info: { title: 'Tipoff', version: '1.0', description: expect.any(String) },
      servers: [{ url: '/' }],
      security: [{ bearerAuth: [] }],
      components: { securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } } },
    });
    // The key in the address is of the stream only: a generator would offer it for requests, which refuse it.
    expect(JSON.stringify(document)).not.toContain('"api_key"');
  });

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
    const others = app.routeTable.filter(({ url }) => !OF_DOCUMENT.test(url)).map(({ url }) => url);
    expect([...new Set(others)].toSorted()).toEqual([
      '/docs',
      '/docs/errors',
      '/docs/scalar.js',
      '/healthz',
      '/llms.txt',
      '/metrics',
      '/readyz',
      '/ws/alerts',
    ]);
  });

  test('every operation says what it is, what it answers, and what it refuses', async () => {
    const { document, operations } = await startWithDocument();
    const tags = document.tags.map(({ name }) => name);
    for (const { name, operation } of operations) {
      const {
        operationId,
        summary,
        description,
        responses,
        security,
        parameters = [],
        requestBody,
      } = operation;
      expect.soft(operationId, name).toMatch(/^[a-z][A-Za-z]+$/);
      expect.soft([summary, description], name).toEqual([expect.any(String), expect.any(String)]);
      expect.soft(operation.tags, name).toEqual([expect.toBeOneOf(tags)]);
      const needed = ['500', 'default'];
      if (security === undefined) needed.push('401', '429', '503');
      if (requestBody !== undefined) needed.push('413', '415', '422');
      if (parameters.some(({ in: place }) => place !== 'header')) needed.push('422');
      expect.soft(Object.keys(responses), name).toEqual(expect.arrayContaining(needed));
      const success = successOf(operation);
      expect.soft(success?.description, name).not.toMatch(/^(undefined|Default Response)$/);
      expect.soft(success?.headers, name).toHaveProperty('X-Request-Id');
      const isEmpty = responses['204'] !== undefined;
      const [media] = Object.values(success?.content ?? {});
      expect
        .soft(isEmpty || (media?.schema && media.example !== undefined), `${name} has an example`)
        .toBe(true);
      for (const { name: parameter, description: text, example, examples } of parameters) {
        expect
          .soft([text, example ?? examples?.['example']?.value], `${name} ${parameter}`)
          .toEqual([expect.any(String), expect.anything()]);
      }
    }
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('only what is open on purpose is documented without a key', async () => {
    const { operations, baseUrl } = await startWithDocument();
    const keyOf = ({ operation }: (typeof operations)[number]) =>
      JSON.stringify(operation.security ?? 'needed');
    const open = operations.filter((one) => keyOf(one) !== '"needed"');
    expect(Object.fromEntries(open.map((one) => [one.path, keyOf(one)]))).toEqual({
      '/api/v1/asyncapi.json': '[]',
      '/api/v1/coverage': '[]',
      '/api/v1/hot-markets': '[{},{"bearerAuth":[]}]',
      '/api/v1/log/head': '[{},{"bearerAuth":[]}]',
      '/api/v1/openapi.json': '[]',
      '/feed.json': '[]',
      '/feed.xml': '[]',
      '/log': '[]',
      '/log/{month}.jsonl': '[]',
      '/log/{month}.jsonl.sha256': '[]',
      '/record.csv': '[]',
      '/record.json': '[]',
      '/sandbox/alerts.json': '[]',
    });
    for (const { method, path, operation } of operations) {
      const { status } = await ask(baseUrl + path.replaceAll(/\{\w+\}/g, '1'), {
        method: method.toUpperCase(),
      });
      expect(status === 401, path).toBe(operation.security === undefined);
    }
  });

  test('every field of every named schema is described, and every example fits its schema', async () => {
    const { document, operations } = await startWithDocument();
    const check = createOpenapiChecker(document);
    for (const { method, path, operation } of operations) {
      for (const [status, answer] of Object.entries(operation.responses)) {
        const [[contentType, { example }] = ['', {}]] = Object.entries(answer.content ?? {});
        if (example === undefined) continue;
        const body = contentType.endsWith('json') ? JSON.stringify(example) : String(example);
        const asked = { method, path, status: Number(status), contentType, body };
        expect.soft(check(asked), `${method} ${path} ${status}`).toBeNull();
      }
    }
    const bare = Object.entries(document.components.schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties as Record<string, { description?: string; $ref?: string }>)
        .filter(([, schema]) => schema.description === undefined && schema.$ref === undefined)
        .map(([field]) => `${name}.${field}`),
    );
    expect(bare).toEqual([]);
  });

  test('real answers fit it: those sent as ready bytes, those made for the request, and refusals', async () => {
    const { document, baseUrl, append, issue, database } = await startWithDocument();
    const { secret } = await issue({ tier: 'enterprise' });
    await appendDrafts(database.log, outcomesAt(START - FREE_DELAY_MS));
    const resolution = { payout: 1, won: true, profitUsdc: 3_000.5 };
    await append(alertOf({ id: 1, resolution }), alertOf({ id: 2, type: 'cluster' }));
    const check = createOpenapiChecker(document);
    const paths = [
      ['/api/v1/alerts/latest', 200],
      ['/api/v1/alerts/latest?limit=x', 422],
      ['/api/v1/alerts?search=measure&nobody=1', 200],
      ['/api/v1/alerts?since_id=0&expand=details', 200],
      ['/api/v1/alerts/1', 200],
      ['/api/v1/alerts/3', 404],
      ['/api/v1/alerts/%zz', 400],
      [`/api/v1/wallets/${alertOf({ id: 1 }).wallet}`, 200],
      ['/api/v1/wallets/0xaa', 422],
      ['/api/v1/markets/0xm1?expand=details', 200],
      ['/api/v1/markets/0xm2', 404],
      ['/feed.json', 200],
      ['/feed.xml?min_signal=1', 200],
      ['/sandbox/alerts.json', 200],
      ['/api/v1/hot-markets?period=30d', 200],
      ['/api/v1/coverage', 200],
      ['/api/v1/log', 200],
      ['/api/v1/log/head', 200],
      ['/api/v1/outcomes', 200],
      ['/api/v1/outcomes/1', 200],
      ['/api/v1/outcomes/2', 404],
      ['/log', 200],
      ['/log/2026-01.jsonl', 200],
      ['/log/2026-01.jsonl.sha256', 200],
      ['/log/2026-02.jsonl', 404],
      ['/log/2026-13.jsonl', 422],
      ['/api/v1/stats', 200],
      ['/api/v1/me', 200],
      ['/api/v1/nothing', 404],
    ] as const;
    for (const [path, expected] of paths) {
      const headers = { authorization: `Bearer ${secret}` };
      const { status, headers: given, text } = await ask(baseUrl + path, { headers });
      expect(status, path).toBe(expected);
      const contentType = given.get('content-type');
      expect(check({ method: 'GET', path, status, contentType, body: text }), path).toBeNull();
    }
    const wrong = { method: 'GET', path: '/api/v1/me', status: 200, contentType: 'application/json' };
    expect(check({ ...wrong, body: '{"name":1}' })).toMatch(/does not fit/);
    expect(check({ ...wrong, status: 201, body: '{}' })).toMatch(/not documented/);
  });
});
