import { type Answer, BadQuery, ok, type Query } from './answer.ts';

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
export interface Walk {
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
