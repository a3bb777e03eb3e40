import type { IncomingMessage } from 'node:http';

/**
 * On every answer. Transport security (HSTS) is left to what ends TLS in front of us: we speak plain HTTP, where the
 * header means nothing. What may be kept longer says so itself.
 */
const EVERYWHERE = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};

/** For the operator and for people: no page of another origin may take it in. */
export const STANDING_HEADERS = {
  ...EVERYWHERE,
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

/** For any web page: the API, its documents and the log, never what is for the operator. */
const SHARED_HEADERS = { ...EVERYWHERE, 'access-control-allow-origin': '*' };

/** Long, and of use to pages alone, so that others are spared it. */
const EXPOSED = [
  'ETag',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Repr-Digest',
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

/** Where these are: the API and its documents, and the log. */
const SHARED = /^\/(?:api\/|llms\.txt|log(?:[/?]|$))/;

const READS = new Set(['GET', 'HEAD']);

/** The headers of whatever is answered there. Pages of other origins may read, and do nothing else. */
export function standingHeaders(request: IncomingMessage): Readonly<Record<string, string>> {
  const { url = '', headers } = request;
  if (!SHARED.test(url)) return STANDING_HEADERS;
  if (!READS.has(meantMethod(request))) return STANDING_HEADERS;
  return headers.origin === undefined ? SHARED_HEADERS : READABLE_HEADERS;
}

/** What a page is told before it asks with a key; nothing where no page may ask. */
export function preflightHeaders(request: IncomingMessage): Readonly<Record<string, string>> {
  return request.url?.startsWith('/api/') && READS.has(meantMethod(request)) ? PREFLIGHT_HEADERS : {};
}

/** What a preflight asks leave for; `POST` among it, which browsers send unless the origin is refused. */
function meantMethod({ method = 'GET', headers }: IncomingMessage): string {
  return method === 'OPTIONS' ? (headers['access-control-request-method'] ?? 'GET') : method;
}
