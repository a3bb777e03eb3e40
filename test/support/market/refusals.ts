import { type Answer, type BadQuery, isGamma } from './answer.ts';

const CODES: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  410: 'gone',
  429: 'rate_limited',
  500: 'internal',
  502: 'dependency_unavailable',
  503: 'dependency_unavailable',
};

/**
 * Version 1 of the Data API, retired on 2026-10-24. That it is gone is documented, and not with which status: some routes
 * answer the one, some the other.
 */
const RETIRED: Readonly<Record<string, 404 | 410>> = {
  '/trades': 410,
  '/activity': 410,
  '/positions': 410,
  '/traded': 404,
  '/closed-positions': 404,
  '/value': 404,
  '/holders': 404,
  '/oi': 404,
  '/live-volume': 404,
  '/v1/leaderboard': 404,
};

/** What a path that is no route answers. */
export const noRoute = (path: string): Answer => refusal(path, RETIRED[path] ?? 404);

/** Each API has its own shape. */
export function refusal(
  path: string,
  status: number,
  { cause, waitSeconds = 2 }: { cause?: BadQuery; waitSeconds?: number } = {},
): Answer {
  const error = cause?.message ?? CODES[status] ?? 'error';
  const headers: Record<string, string> =
    status === 429 || status === 503 ? { 'retry-after': String(waitSeconds) } : {};
  if (isGamma(path))
    return { status, body: { type: status === 422 ? 'validation error' : 'error', error }, headers };
  if (!path.startsWith('/v2/')) return { status, body: { error }, headers };
  const body = {
    error,
    code: CODES[status],
    ...(cause && { parameter: cause.parameter }),
    retryable: status >= 429 || status === 408,
    trace_id: 'stand-in',
  };
  return { status, body, headers };
}
