import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ApiDocument } from '../../src/http/documents/describe-api.ts';
import type { Operation, Parameter } from '../../src/http/documents/openapi-types.ts';
import { ERROR_CODES } from '../../src/http/schemas/error-codes.ts';
import { forgedKey } from '../support/key-fixture.ts';
import { createOpenapiChecker } from '../support/openapi-checker.ts';
import { type ServiceOverArchive, startServiceOverArchive } from '../support/service-over-archive.ts';

/** Texts that no client should send. */
const TEXTS = [
  '',
  '٣',
  'NaN',
  '9007199254740993',
  '9'.repeat(400),
  '{"$gt":""}',
  '%',
  '\u0000',
  '\u202e',
  '../../../../etc/passwd',
  '<script>alert(1)</script>',
  '__proto__',
  '2026-02-30T00:00:00Z',
  'x'.repeat(3_000),
];
const VALUES = [...TEXTS, null, true, -1, 1.5, 1e300, [], {}, [[[[]]]], { $ne: null }, { length: 1e9 }];
const BODIES = ['', '{', '[', '"', 'null', '['.repeat(5_000), ' '.repeat(70_000), '{"__proto__":{}}'];
const HEADERS = [
  { 'accept-encoding': 'gzip;q=0, nonsense' },
  { 'if-none-match': 'broken"' },
  { 'x-request-id': '?'.repeat(80) },
  { accept: 'x', origin: 'null' },
];
const STRAY = ['/api/v1', '/api/v1/nothing', '/nothing', '//', '/%zz', '/healthz'];

/** Of the inside: frames of a stack, paths of the source, names of the parts, hashes of keys. */
const INSIDE = [
  /\n? {2,}at /,
  /node_modules/,
  /\/src\/\w/,
  /file:\/\//,
  /\$argon2/,
  /sqlite|mongo(ose|db)|fastify/i,
];

/** What the archive has, by the parameter of a path. */
const IDS: Readonly<Record<string, string>> = {
  id: '7',
  number: '1',
  address: `0x${'7'.padStart(40, '0')}`,
  market_id: '0xmarket3',
  webhook_id: 'wh_archive',
  delivery_id: 'msg_1_archive',
};

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

type Documented = Operation & { readonly method: string; readonly path: string };

/** Those that delete come last. */
function operationsOf({ paths }: ApiDocument): readonly Documented[] {
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, one]) => ({ ...one, method: method.toUpperCase(), path })),
    )
    .toSorted((one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'));
}

function pathOf({ path }: Documented, ids: Readonly<Record<string, string>> = {}): string {
  const given = { ...IDS, ...ids };
  return path.replaceAll(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(given[name] ?? '1'));
}

function withParameter(operation: Documented, { in: place, name }: Parameter, text: string): string {
  if (place === 'path') return pathOf(operation, { [name]: text });
  return `${pathOf(operation)}?${new URLSearchParams({ [name]: text })}`;
}

function exampleOf({ requestBody }: Operation): Readonly<Record<string, unknown>> | null {
  const { content } = (requestBody ?? {}) as { content?: Record<string, { example?: object }> };
  return (content?.['application/json']?.example ?? null) as Readonly<Record<string, unknown>> | null;
}

function* requestsFor(operation: Documented, { keys }: ServiceOverArchive): Generator<Sent> {
  const { method, parameters = [] } = operation;
  const plain = { method, path: pathOf(operation) };
  const example = exampleOf(operation);
  const body = example === null ? {} : { body: JSON.stringify(example) };
  for (const key of [keys.enterprise, keys.pro, keys.free, keys.revoked, forgedKey(), 'sk_live_x', null])
    yield { ...plain, ...body, key };
  for (const headers of HEADERS) yield { ...plain, ...body, headers };
  for (const parameter of parameters.filter((one) => one.in !== 'header'))
    for (const text of TEXTS) yield { ...plain, ...body, path: withParameter(operation, parameter, text) };
  if (example === null) return;
  for (const text of BODIES) yield { ...plain, body: text };
  for (const name of [...Object.keys(example), 'unknown'])
    for (const value of VALUES) yield { ...plain, body: JSON.stringify({ ...example, [name]: value }) };
}

/** Asks, and says what is wrong with the answer; the statuses that came are kept. */
function createAsker({ address, document, keys }: ServiceOverArchive, statuses: Set<number>) {
  const misfit = createOpenapiChecker(document);
  const secrets = Object.values(keys).map((secret) => secret.slice(18));
  return async ({ method, path, key = keys.enterprise, headers = {}, body }: Sent, isStray = false) => {
    const response = await fetch(address + path, {
      method,
      redirect: 'manual',
      headers: {
        ...headers,
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    });
    const { status } = response;
    const text = await response.text();
    const contentType = response.headers.get('content-type');
    const whole = `${JSON.stringify([...response.headers])}\n${text}`;
    statuses.add(status);
    if (status >= 500) return 'a fault of the server';
    if (!response.headers.has('x-request-id')) return 'no request id';
    if (secrets.some((secret) => whole.includes(secret))) return 'a key in an answer';
    if (contentType?.startsWith('application/json') && INSIDE.some((pattern) => pattern.test(whole)))
      return 'something of the inside';
    if (!isStray) return misfit({ method, path, status, contentType, body: text });
    return status < 400 || ERROR_CODES.includes(JSON.parse(text).code) ? null : 'an error without a code';
  };
}

test('whatever an operation is sent, its answer fits the document, is no fault, and has nothing of the inside', {
  timeout: 240_000,
}, async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'tipoff-hostile-'));
  const service = await startServiceOverArchive(`sqlite:${join(folder.path, 'archive.db')}`);
  const statuses = new Set<number>();
  const problemOf = createAsker(service, statuses);
  try {
    for (const operation of operationsOf(service.document))
      for (const sent of requestsFor(operation, service))
        expect([await problemOf(sent), sent]).toEqual([null, sent]);
    for (const path of STRAY)
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'QUERY'])
        expect([await problemOf({ method, path }, true), method, path]).toEqual([null, method, path]);
    expect(service.leaks()).toEqual([]);
    // What was asked reached the handlers, and was refused where it should be.
    expect([...statuses]).toEqual(expect.arrayContaining([200, 401, 403, 404, 405, 422]));
  } finally {
    await service.stop();
  }
});
