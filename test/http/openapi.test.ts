import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import type { Answer, Operation } from '../../src/http/documents/openapi-types.ts';
import { ask } from '../support/api-server.ts';
import { startWithDocument } from '../support/documented-api.ts';
import { createOpenapiChecker } from '../support/openapi-checker.ts';

const successOf = ({ responses }: Operation): Answer | undefined =>
  Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];

const OF_DOCUMENT = /^\/(api|log|(?:feed|record)\.\w+)(\/|$)/;

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
    const others = app.routeTable
      .map(({ url }) => url)
      .filter((url) => !OF_DOCUMENT.test(url) && !/^\/(?:docs|assets)\b/.test(url));
    expect([...new Set(others)].toSorted()).toEqual([
      '/healthz',
      '/llms.txt',
      // JSON-RPC: its clients learn its tools from `tools/list`.
      '/mcp',
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
      for (const header of ['X-Request-Id', 'X-Unknown-Parameters'])
        expect.soft(success?.headers, name).toHaveProperty(header);
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

  test('an operation is documented without a key if, and only if, it answers without one', async () => {
    const { operations, baseUrl } = await startWithDocument();
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
});
