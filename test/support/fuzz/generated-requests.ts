import fc from 'fast-check';
import type { ApiDocument } from '../../../src/http/documents/openapi-types.ts';
import { bodySchemaOf, type DocumentedOperation, operationsOf, type ValueSchema } from './document-parts.ts';
import { hostileText, valuesOf } from './schema-values.ts';

/** Who asks: a tier's key, or one of the ways not to be let in. */
export const CALLERS = ['enterprise', 'pro', 'free', 'revoked', 'unknown', 'malformed', 'nobody'] as const;
export type GeneratedCaller = (typeof CALLERS)[number];

export interface GeneratedRequest {
  readonly method: string;
  /** As it is sent, with its query; `{n}` stands for the n-th id that answers have named. */
  readonly target: string;
  /** The path of the document it was made from; null for one that is in no document. */
  readonly path: string | null;
  readonly caller: GeneratedCaller;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Valid, borderline and hostile requests for every operation of the document, and some for none of them. */
export function requestsFor(document: ApiDocument): fc.Arbitrary<GeneratedRequest> {
  const documented = operationsOf(document).map((operation) => requestFor(document, operation));
  return fc.oneof(
    { weight: 14, arbitrary: fc.oneof(...documented) },
    { weight: 1, arbitrary: stray(Object.keys(document.paths)) },
  );
}

function requestFor(document: ApiDocument, operation: DocumentedOperation): fc.Arbitrary<GeneratedRequest> {
  const { method, path, parameters = [] } = operation;
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const query = fc.record(
    Object.fromEntries(inQuery.map(({ name, schema }) => [name, valuesOf(document, schema as ValueSchema)])),
    { requiredKeys: [] },
  );
  const body = bodySchemaOf(operation);
  return fc
    .record({
      target: targets(path),
      query,
      extra: fc.array(fc.tuple(hostileText, hostileText), { maxLength: 1 }),
      caller,
      headers,
      body: body === null ? fc.constant(null) : bodies(valuesOf(document, body)),
    })
    .map(({ target, query: pairs, extra, body: sent, ...rest }) => ({
      method,
      path,
      target: target + queryText([...Object.entries(pairs), ...extra]),
      ...rest,
      headers: { ...rest.headers, ...(sent?.type !== undefined && { 'content-type': sent.type }) },
      body: sent?.text ?? null,
    }));
}

const caller = fc.oneof(
  { weight: 20, arbitrary: fc.constant<GeneratedCaller>('enterprise') },
  { weight: 1, arbitrary: fc.constantFrom(...CALLERS) },
);

const headers: fc.Arbitrary<Record<string, string>> = fc.record(
  {
    'accept-encoding': fc.constantFrom('gzip', 'br', 'identity', '*', 'gzip;q=0', 'nonsense'),
    'if-none-match': fc.constantFrom('*', '"x"', 'W/"x"', 'broken"'),
    'x-request-id': fc.oneof(fc.constant('trace-0123456789'), headerText()),
    origin: fc.constantFrom('https://example.com', 'null'),
    accept: fc.constantFrom('application/json', 'text/html', '*/*', 'x'),
  },
  { requiredKeys: [] },
);

function headerText(): fc.Arbitrary<string> {
  return fc.string({ maxLength: 80 }).map((text) => text.replaceAll(/[^\x20-\x7e]/g, '?'));
}

/** Parameters of a path become an id that is there, a plausible one, or anything. */
function targets(path: string): fc.Arbitrary<string> {
  const segment = fc.oneof(
    { weight: 4, arbitrary: fc.nat(1_000).map((pick) => `{${pick}}`) },
    { weight: 2, arbitrary: fc.integer({ min: -2, max: 200 }).map(String) },
    { weight: 1, arbitrary: hostileText.map(encoded).filter((text) => text !== '') },
  );
  const parts = path.split(/(\{\w+\})/).map((part) => (part.startsWith('{') ? segment : fc.constant(part)));
  return fc.tuple(...parts).map((texts) => texts.join(''));
}

function bodies(value: fc.Arbitrary<unknown>): fc.Arbitrary<{ type?: string; text: string }> {
  const json = value.map((body) => ({ type: 'application/json', text: JSON.stringify(body) ?? '' }));
  const types = fc.constantFrom('application/json', 'application/json; charset=utf-8', 'text/plain', 'x', '');
  const raw = fc.oneof(
    hostileText,
    fc.constantFrom(
      '{',
      '[',
      '"',
      '{"name":1,"name":2}',
      '['.repeat(5_000),
      ' '.repeat(70_000),
      '{"__proto__":{}}',
    ),
  );
  return fc.oneof(
    { weight: 8, arbitrary: json },
    { weight: 1, arbitrary: fc.record({ type: types, text: raw }) },
    { weight: 1, arbitrary: fc.record({ text: raw }) },
  );
}

function stray(paths: readonly string[]): fc.Arbitrary<GeneratedRequest> {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY', 'TRACE'];
  const wild = fc.array(hostileText, { maxLength: 4 }).map((parts) => `/${parts.map(encoded).join('/')}`);
  return fc
    .record({
      method: fc.constantFrom(...methods),
      target: fc.oneof(
        fc.constantFrom(...paths, '/healthz', '/docs', '/llms.txt', '/api/v1', '/', '//', '/%zz'),
        wild.map((path) => `/api/v1${path}`),
        wild,
      ),
      caller,
      headers,
      body: fc.option(hostileText),
    })
    .map((request) => ({ ...request, path: null }));
}

function queryText(pairs: readonly (readonly [string, unknown])[]): string {
  if (pairs.length === 0) return '';
  const texts = pairs.map(([name, value]) => `${encoded(name)}=${encoded(textOf(value))}`);
  return `?${texts.join('&')}`;
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
