import { Backoff, sleep, type Wait } from './backoff.ts';
import { type InvalidValue, TipoffConnectionError, TipoffError } from './errors.ts';

/** How requests are sent. */
export interface Service {
  /** Address of the service without a path. */
  readonly url: string;
  readonly apiKey: string | null;
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  /** Attempts after the first. */
  readonly retries: number;
  /** A longer `Retry-After` is not waited for. */
  readonly longestWaitMs: number;
  readonly wait: Wait;
}

/** One request: an operation of the API with its values. */
export interface Call {
  readonly method: string;
  /** With `{name}` where a value belongs. */
  readonly path: string;
  /** The values of path and query by their documented names, and `body`. */
  readonly input?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal | undefined;
}

const REPEATABLE = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);
const NEVER = new AbortController().signal;

/** A successful answer. */
export interface Page {
  /** JSON as an object, any other as a text, undefined without one. */
  readonly body: unknown;
  /** The path and query of the next page; null on the last one. */
  readonly next: string | null;
}

export async function request(service: Service, call: Call): Promise<unknown> {
  return (await requestPage(service, call)).body;
}

/**
 * A 429 is waited out as `Retry-After` says; a request that can be repeated without harm is also repeated after a 503 or a
 * lost connection.
 */
export async function requestPage(service: Service, call: Call): Promise<Page> {
  const { wait, retries, longestWaitMs } = service;
  const signal = call.signal ?? NEVER;
  const backoff = new Backoff();
  const prepared = prepare(service, call);
  for (let attempt = 0; ; attempt += 1) {
    const result = await send(service, prepared, signal);
    if (result.ok) return result.page;
    const { error } = result;
    if (signal.aborted || attempt >= retries || !canRetry(error, prepared.isRepeatable)) throw error;
    const retryAfter = error instanceof TipoffError ? error.retryAfter : null;
    const ms = retryAfter === null ? backoff.next() : retryAfter * 1_000;
    if (ms > longestWaitMs) throw error;
    await wait(ms, signal);
    signal.throwIfAborted();
  }
}

interface Prepared {
  readonly address: URL;
  readonly init: RequestInit;
  readonly isRepeatable: boolean;
}

function prepare({ url, apiKey }: Service, { method, path, input = {} }: Call): Prepared {
  const { body, ...values } = input;
  const headers: Record<string, string> = { accept: '*/*' };
  if (apiKey !== null) headers['authorization'] = `Bearer ${apiKey}`;
  if (body !== undefined) headers['content-type'] = 'application/json';
  const used = new Set<string>();
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    used.add(name);
    if (values[name] === undefined || values[name] === null) throw new TypeError(`${name} is missing`);
    return encodeURIComponent(String(values[name]));
  });
  const address = new URL(filled, url);
  address.protocol = address.protocol.replace(/^ws/, 'http');
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null && !used.has(name))
      address.searchParams.set(name, String(value));
  }
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  return { address, init, isRepeatable: REPEATABLE.has(method) };
}

type Result = { readonly ok: true; readonly page: Page } | { readonly ok: false; readonly error: unknown };

async function send(
  service: Service,
  { address, init, isRepeatable }: Prepared,
  signal: AbortSignal,
): Promise<Result> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(service.timeoutMs)]);
  try {
    const answer = await service.fetch(address, { ...init, signal: limited });
    const body = await bodyOf(answer);
    if (!answer.ok) return { ok: false, error: refusalOf(answer, body) };
    return { ok: true, page: { body, next: nextOf(address, answer.headers.get('link') ?? '') } };
  } catch (error) {
    if (signal.aborted) return { ok: false, error };
    // The query may have what does not belong in a log.
    const asked = `${init.method} ${address.origin}${address.pathname}`;
    return { ok: false, error: new TipoffConnectionError(asked, { cause: error, isRepeatable }) };
  }
}

/** A 429 has changed nothing. After a 503 or a lost connection that is unknown. */
function canRetry(error: unknown, isRepeatable: boolean): boolean {
  if (!(error instanceof TipoffError)) return isRepeatable;
  return error.status === 429 || (isRepeatable && error.status === 503);
}

async function bodyOf(answer: Response): Promise<unknown> {
  const text = await answer.text();
  if (text === '') return undefined;
  const type = answer.headers.get('content-type') ?? '';
  return /^application\/(?:[\w.]+\+)?json\b/.test(type) ? JSON.parse(text) : text;
}

/** Without the host: the key goes to that of the client only. A path that begins with two slashes would name another. */
function nextOf(address: URL, link: string): string | null {
  const [, target] = /<([^>]*)>;[^<]*\brel="?next\b/.exec(link) ?? [];
  if (target === undefined) return null;
  const { pathname, search } = new URL(target, address);
  return pathname.replace(/^\/+/, '/') + search;
}

function refusalOf({ status, statusText, headers }: Response, body: unknown): TipoffError {
  const { detail, code } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const isDetail = typeof detail === 'string' || Array.isArray(detail);
  // An answer without a detail is that of a proxy.
  const words = isDetail ? (detail as string | InvalidValue[]) : statusText || 'refused';
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return new TipoffError({
    status,
    code: typeof code === 'string' ? code : null,
    detail: words,
    requestId: headers.get('x-request-id'),
    retryAfter: Number.isFinite(seconds) && seconds >= 0 ? seconds : null,
  });
}

/** `Service` with its defaults. */
export function serviceOf({
  url,
  apiKey = null,
  ...options
}: Partial<Service> & Pick<Service, 'url'>): Service {
  return {
    url,
    apiKey,
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
    timeoutMs: options.timeoutMs ?? 30_000,
    retries: options.retries ?? 2,
    longestWaitMs: options.longestWaitMs ?? 60_000,
    wait: options.wait ?? sleep,
  };
}
