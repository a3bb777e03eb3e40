import type { IncomingMessage } from 'node:http';

/** On every answer; cacheable answers override `cache-control`. HSTS is left to the proxy that terminates TLS: it has no effect over plain HTTP. */
const EVERYWHERE = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};

/** For pages and operator routes: not readable from other origins. */
export const STANDING_HEADERS = {
  ...EVERYWHERE,
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

/** For the API and its documents: readable from any origin. */
const SHARED_HEADERS = { ...EVERYWHERE, 'access-control-allow-origin': '*' };

const EXPOSED = [
  'ETag',
  'Link',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'WWW-Authenticate',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
  'X-Unknown-Parameters',
].join(', ');

const READABLE_HEADERS = { ...SHARED_HEADERS, 'access-control-expose-headers': EXPOSED };

const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': 'Authorization, Content-Type, If-None-Match, X-Request-Id',
  'access-control-max-age': '86400',
};

/** Paths of the API, its documents, the feeds, the record and the data of alerts. */
const SHARED = /^\/(?:api\/|llms\.txt|feed\.|record\.json|alerts\/\d+\.json)/;

const READS = new Set(['GET', 'HEAD']);

export function standingHeaders(request: IncomingMessage): Readonly<Record<string, string>> {
  const { url = '', headers } = request;
  if (!SHARED.test(url)) return STANDING_HEADERS;
  if (!READS.has(meantMethod(request))) return STANDING_HEADERS;
  return headers.origin === undefined ? SHARED_HEADERS : READABLE_HEADERS;
}

export function preflightHeaders(request: IncomingMessage): Readonly<Record<string, string>> {
  return request.url?.startsWith('/api/') && READS.has(meantMethod(request)) ? PREFLIGHT_HEADERS : {};
}

function meantMethod({ method = 'GET', headers }: IncomingMessage): string {
  return method === 'OPTIONS' ? (headers['access-control-request-method'] ?? 'GET') : method;
}
