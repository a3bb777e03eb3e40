import { describe, expect, test } from 'vitest';
import { callsOf } from '../../scripts/generators/calls.ts';
import { differenceOf, problemsOf } from '../../scripts/generators/judge.ts';
import type { ApiDocument } from '../../src/http/documents/openapi-types.ts';
import type { DocumentedOperation } from '../support/fuzz/document-parts.ts';

const RESOURCES = { alert: 7, wallet: '0x1', market: 'm', preset: 'p', webhook: 'w', month: '2026-01' };
const body = (name: string) => ({
  requestBody: { content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } } },
});
const operation = (operationId: string, given: object = {}) =>
  ({
    operationId,
    method: 'GET',
    path: '/x',
    tags: ['Alerts'],
    responses: {},
    ...given,
  }) as DocumentedOperation;
const parameter = (name: string, required: boolean) => ({ name, in: 'query', required, schema: {} });

describe('the calls of generated clients', () => {
  test('required parameters come first, then the body, then what is optional; deletions come last', () => {
    const parameters = [parameter('limit', false), parameter('id', true)];
    const [first, last] = callsOf(
      [
        operation('deletePreset', { parameters }),
        operation('replacePreset', { parameters, ...body('NewPreset') }),
      ],
      RESOURCES,
    );
    expect(first).toMatchObject({
      operation: 'replacePreset',
      parameters: [
        { name: 'id', value: 'p' },
        { name: 'limit', value: null },
      ],
      bodyModel: 'NewPreset',
      bodyPosition: 1,
    });
    expect(last).toMatchObject({ operation: 'deletePreset', bodyModel: null });
    expect(last).not.toHaveProperty('body');
  });

  test('an operation that needs arguments and has none is named', () => {
    for (const given of [{ parameters: [parameter('id', true)] }, body('Other')])
      expect(() => callsOf([operation('another', given)], RESOURCES)).toThrow(/another has no arguments/);
  });
});

describe('what a client read', () => {
  test.each([
    [{ a_b: 1, c: null, d: [] }, { aB: 1 }],
    [[{ at: '2026-01-01T00:00:00.123Z' }], [{ at: '2026-01-01T00:00:00Z' }]],
    [{ day: '2026-01-01' }, { day: '2026-01-01T00:00:00.000Z' }],
    ['text', 'text'],
  ])('%j is the same as %j', (one, other) => {
    expect([differenceOf(one, other), differenceOf(other, one)]).toEqual([null, null]);
  });

  test.each([
    [{ a: 341071.26 }, { a: 341071.25 }],
    [{ a: 1 }, { a: 1, b: 2 }],
    [[1], [1, 2]],
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'],
    [{ a: '1' }, { a: 1 }],
  ])('%j is not the same as %j', (one, other) => {
    for (const difference of [differenceOf(one, other), differenceOf(other, one)])
      expect(difference).toMatch(/^(\/\w+|it) is .+ instead of .+/);
  });

  test('an operation that was not called, failed, or was read wrongly is a problem', () => {
    const answer = { schema: { type: 'object', properties: { n: { type: 'integer' } } } };
    const documented = (operationId: string) => ({
      get: { operationId, responses: { 200: { description: '', content: { 'application/json': answer } } } },
    });
    const document = {
      openapi: '3.1.1',
      paths: {
        '/a': documented('a'),
        '/b': documented('b'),
        '/c/{id}': documented('c'),
        '/c/d': documented('d'),
      },
      components: { schemas: {} },
    } as unknown as ApiDocument;
    const answered = (path: string) => ({
      ...{ method: 'GET', status: 200, contentType: 'application/json', body: '{"n":1}' },
      path,
    });
    const reported = [
      { operation: 'b', error: 'no method' },
      { operation: 'c', parsed: { n: 2 } },
      { operation: 'd', parsed: { n: 1 } },
    ];
    expect(problemsOf(document, ['/c/7?x=1', '/c/d'].map(answered), reported)).toEqual([
      'a: not called',
      'b: no method',
      'c was read wrongly: /n is 2 instead of 1',
    ]);
  });
});
