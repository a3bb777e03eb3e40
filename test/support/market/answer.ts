import type { Faults } from './faults.ts';
import type { MarketProfile } from './market-profile.ts';
import type { MarketView } from './market-view.ts';

/** What a route answers. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a route answers from. */
export interface RouteDeps {
  readonly view: MarketView;
  readonly faults: Faults;
  readonly profile: MarketProfile;
}

export type Route = (query: Query, deps: RouteDeps) => Answer;

export const ok = (body: unknown): Answer => ({ status: 200, body });

/** Both APIs share one address here; the path identifies the API. */
export const isGamma = (path: string) => /^\/(markets|public-profile)/.test(path);

/** What was asked wrongly; each API answers it in a shape of its own. */
export class BadQuery extends Error {
  readonly parameter: string;

  constructor(parameter: string, message: string) {
    super(message);
    this.parameter = parameter;
  }
}

/** The parameters of a request. */
export interface Query {
  text(name: string): string | null;
  /** Comma separated, repeated, or both. */
  list(name: string): readonly string[];
  whole(name: string, bounds: { min: number; max: number; otherwise: number }): number;
  seconds(name: string): number | null;
  number(name: string): number | null;
  flag(name: string): boolean | null;
  names(): readonly string[];
}

export function queryOf(parameters: URLSearchParams): Query {
  const text = (name: string) => parameters.get(name);
  function number(name: string): number | null {
    const given = text(name);
    if (given === null) return null;
    const value = Number(given);
    if (given === '' || !Number.isFinite(value)) throw new BadQuery(name, `${name} must be a number`);
    return value;
  }
  return {
    text,
    list: (name) =>
      parameters
        .getAll(name)
        .flatMap((value) => value.split(','))
        .filter((value) => value !== ''),
    whole(name, { min, max, otherwise }) {
      const value = number(name) ?? otherwise;
      if (!Number.isInteger(value) || value < min)
        throw new BadQuery(name, `${name} must be at least ${min}`);
      return Math.min(value, max);
    },
    seconds(name) {
      const value = number(name);
      if (value !== null && (!Number.isInteger(value) || value < 0 || value > 1e11))
        throw new BadQuery(name, `${name} must be epoch seconds`);
      return value;
    },
    number,
    flag(name) {
      const given = text(name);
      if (given === null) return null;
      if (given !== 'true' && given !== 'false') throw new BadQuery(name, `${name} must be true or false`);
      return given === 'true';
    },
    names: () => [...parameters.keys()],
  };
}

const WALLET = /^0x[0-9a-f]{40}$/i;

export function walletIn(query: Query, name: string, isRequired: boolean): string | null {
  const wallet = query.text(name);
  if (wallet === null && !isRequired) return null;
  if (wallet === null || !WALLET.test(wallet)) throw new BadQuery(name, `${name} must be an address`);
  return wallet.toLowerCase();
}

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

/** Of a page, and of a list of ids. */
const LIMIT_MOST = 1_000;
const IDS_MOST = 20;
const THREE_YEARS_S = 3 * 366 * 86_400;
const DAY_S = 86_400;

/** A parameter as it was given; null when it was not. */
export function givenAs(query: Query, name: string): string | null {
  const list = query.list(name);
  return list.length === 0 ? null : list.join(',');
}

export function idsOf(query: Query, name: string): readonly string[] {
  const ids = [...new Set(query.list(name))];
  if (ids.length > IDS_MOST) throw new BadQuery(name, `at most ${IDS_MOST}`);
  return ids;
}

export function refuseUnknown(query: Query, known: readonly string[]): void {
  const unknown = query.names().find((name) => !known.includes(name) && !name.startsWith('_'));
  if (unknown !== undefined) throw new BadQuery(unknown, `unknown parameter ${unknown}`);
}

/** The bounds of a wallet's lists: without a start three years, with 1 all; without an end a day from now. */
export function userWindow(query: Query, nowMs: number): { start: number; end: number } {
  const now = Math.floor(nowMs / 1_000);
  return {
    start: query.seconds('start') || now - THREE_YEARS_S,
    end: query.seconds('end') || now + DAY_S,
  };
}

/** Of what is not a wallet's own: three years of some markets, this month and the one before of all. */
export function sharedWindow(nowMs: number, isOfMarkets: boolean): { start: number; end: null } {
  const now = new Date(nowMs);
  if (isOfMarkets) return { start: Math.floor(nowMs / 1_000) - THREE_YEARS_S, end: null };
  return { start: Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1) / 1_000, end: null };
}

/** The position of a walk: the trade it continues from, its filters, and its page size, which holds to its end. */
interface Cursor {
  readonly from: number;
  readonly filters: string;
  readonly limit: number;
}

/** A walk over trades: the same filters with each page. */
interface Walk {
  /** Null on the first page. */
  readonly from: number | null;
  readonly limit: number;
  /** The page of what was found, which is one more than a page when there are more. */
  page(found: readonly number[], toRows: (indices: readonly number[]) => readonly unknown[]): Answer;
}

export function walkOf(query: Query, filterNames: readonly string[]): Walk {
  const filters = JSON.stringify(filterNames.map((name) => givenAs(query, name)));
  const cursor = cursorOf(query.text('cursor'), filters);
  const asked = query.whole('limit', { min: 1, max: Number.MAX_SAFE_INTEGER, otherwise: 100 });
  if (asked > LIMIT_MOST) throw new BadQuery('limit', `limit must be at most ${LIMIT_MOST}`);
  const limit = cursor?.limit ?? asked;
  return {
    from: cursor?.from ?? null,
    limit,
    page(found, toRows) {
      const indices = found.slice(0, limit);
      const hasMore = found.length > limit;
      const next: Cursor = { from: indices.at(-1) ?? 0, filters, limit };
      const packed = Buffer.from(JSON.stringify(next)).toString('base64url');
      return ok({
        data: toRows(indices),
        pagination: { limit, offset: 0, has_more: hasMore, next_cursor: hasMore ? packed : null },
      });
    },
  };
}

function cursorOf(text: string | null, filters: string): Cursor | null {
  if (text === null) return null;
  let cursor: Partial<Cursor>;
  try {
    cursor = JSON.parse(Buffer.from(text, 'base64url').toString()) as Partial<Cursor>;
  } catch {
    throw new BadQuery('cursor', 'no cursor of this service');
  }
  if (cursor.filters !== filters)
    throw new BadQuery('cursor', 'the cursor belongs to other filters; send the same with each page');
  return cursor as Cursor;
}
