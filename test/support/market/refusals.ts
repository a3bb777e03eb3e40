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
  const body = {
    error,
    code: CODES[status],
    ...(cause && { parameter: cause.parameter }),
    retryable: status >= 429 || status === 408,
    trace_id: 'stand-in',
  };
  return { status, body, headers };
}
