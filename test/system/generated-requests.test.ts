import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Dispatcher, interceptors, Pool } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import type { ApiDocument } from '../../src/http/documents/openapi-types.ts';
import { ERROR_CODES } from '../../src/http/schemas/error-codes.ts';
import {
  type GeneratedCaller,
  type GeneratedRequest,
  requestsFor,
} from '../support/fuzz/generated-requests.ts';
import { forgedKey } from '../support/key-fixture.ts';
import { createOpenapiChecker } from '../support/openapi-checker.ts';
import { type CallerKeys, startServiceOverArchive } from '../support/service-over-archive.ts';

/** More of them find more, as `FUZZ_REQUESTS=100000` does in some minutes. */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 2_000);
const TIMEOUT_MS = Math.max(60_000, REQUESTS * 20);

test('no generated request is answered 500 or above, outside of its schema, or with anything of the inside', {
  timeout: TIMEOUT_MS,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tipoff-fuzz-'));
  const service = await startServiceOverArchive(`sqlite:${join(folder, 'fuzz.db')}`);
  const run = createFuzzRun({ ...service, connections: 1 });
  onTestFinished(async () => {
    await run.close();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });
  await fc.assert(fc.asyncProperty(requestsFor(service.document), run.send), { numRuns: REQUESTS });
  expect(service.leaks()).toEqual([]);
  // What was asked reached the handlers, and was refused where it should be.
  for (const status of [200, 304, 401, 404, 405, 422]) expect([...run.statuses.keys()]).toContain(status);
});

interface FuzzRun {
  /** Sends one request; throws, with what is wrong, when its answer breaks a promise. */
  send(request: GeneratedRequest): Promise<void>;
  readonly statuses: ReadonlyMap<number, number>;
  close(): Promise<void>;
}

const IDS = 1_000;

/** Of the inside: frames of a stack, paths of the source, names of the parts, hashes of keys. */
const INSIDE = [
  /\n? {2,}at /,
  /node_modules/,
  /\/src\/\w/,
  /file:\/\//,
  /\$argon2/,
  /sqlite|mongo(ose|db)|fastify/i,
];

interface FuzzTarget {
  readonly address: string;
  readonly document: ApiDocument;
  readonly keys: CallerKeys;
  readonly connections: number;
}

function createFuzzRun({ address, document, keys, connections }: FuzzTarget): FuzzRun {
  // No address is tidied up, and no redirect is followed.
  const client = new Pool(address, { connections });
  const unpacked = client.compose(interceptors.decompress({ skipErrorResponses: false }));
  const misfit = createOpenapiChecker(document);
  const statuses = new Map<number, number>();
  const ids: string[] = [];
  let remembered = 0;

  function remember(id: string): void {
    ids[remembered % IDS] = id;
    remembered += 1;
  }

  return {
    statuses,
    close: () => client.destroy(),
    async send(given) {
      const { method, path, caller, headers, body } = given;
      const target = given.target.replaceAll(
        /\{(\d+)\}/g,
        (_all, pick) => ids[Number(pick) % ids.length] ?? '1',
      );
      const secret = secretOf(keys, caller);
      const authorization = secret === null ? {} : { authorization: `Bearer ${secret}` };
      const { statusCode: status, ...rest } = await unpacked.request({
        method: method as Dispatcher.HttpMethod,
        path: target,
        headers: { ...headers, ...authorization },
        body,
      });
      const text = await rest.body.text();
      const answer = { status, headers: rest.headers, text };
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const contentType = String(answer.headers['content-type'] ?? '');
      const problem =
        broken(answer, Object.values(keys)) ??
        (path === null
          ? strayProblem(answer, given)
          : misfit({ method, path, status, contentType, body: text }));
      if (problem !== null)
        throw new Error(`${problem}\n${method} ${target}\n${status} ${text.slice(0, 500)}`);
      for (const id of idsIn(text)) remember(id);
    },
  };
}

function secretOf(keys: CallerKeys, caller: GeneratedCaller): string | null {
  if (caller === 'nobody') return null;
  if (caller === 'unknown') return forgedKey();
  return caller === 'malformed' ? 'sk_live_x' : keys[caller];
}

interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

function broken({ status, headers, text }: RawAnswer, secrets: readonly string[]): string | null {
  const whole = `${JSON.stringify(headers)}\n${text}`;
  if (status >= 500) return 'a fault of the server';
  if (headers['x-request-id'] === undefined) return 'no request id';
  if (secrets.some((secret) => whole.includes(secret.slice(18)))) return 'a key in an answer';
  const isJson = String(headers['content-type']).startsWith('application/json');
  const leak = isJson ? INSIDE.find((pattern) => pattern.test(whole)) : undefined;
  return leak === undefined ? null : `of the inside: ${leak}`;
}

/** Where no operation was asked for, an error is still one of the contract's shape, or for browsers a page. */
function strayProblem({ status, headers, text }: RawAnswer, request: GeneratedRequest): string | null {
  if (status < 400 || text === '') return null;
  const isPage =
    String(headers['content-type']).startsWith('text/html') && text.startsWith('<!doctype html>');
  const isForBrowsers = request.headers['accept'] === 'text/html' && !request.target.startsWith('/api/');
  if (isPage && isForBrowsers) return null;
  const { detail, code } = parsed(text) as { detail?: unknown; code?: unknown };
  if (!String(headers['content-type']).startsWith('application/json')) return 'an error that is no JSON';
  if (!ERROR_CODES.some((known) => known === code)) return 'an error without a code';
  return typeof detail === 'string' || Array.isArray(detail) ? null : 'an error without its detail';
}

function idsIn(text: string): string[] {
  const body = parsed(text);
  const items = Array.isArray(body) ? body : [body];
  return items.flatMap((item) => {
    const id = (item as { id?: unknown } | null)?.id;
    return typeof id === 'string' || typeof id === 'number' ? [String(id)] : [];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
