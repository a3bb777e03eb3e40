import { garbled } from '../client/market-client.ts';
import type { FeedTools } from '../feed-tools.ts';

const PAGE = 100;
/** One request's markets fit in one page; a server with more pages ignores the query. */
const MOST_PAGES = 5;

export type GammaQuery = Readonly<Record<string, string | boolean | readonly string[]>>;

/** The markets of a query with their tags, as Gamma writes them, by keyset. A page is requested when it is read. */
export async function* listMarkets(
  client: FeedTools['client'],
  query: GammaQuery,
  signal: AbortSignal,
): AsyncGenerator<unknown> {
  let cursor: string | null = null;
  for (let count = 0; count < MOST_PAGES; count += 1) {
    const page: GammaQuery = { ...query, include_tag: true, ...(cursor && { after_cursor: cursor }) };
    const request = { api: 'gamma', path: '/markets/keyset', query: { ...page, limit: PAGE } } as const;
    const answer = readPage((await client.get({ ...request, purpose: 'markets' }, signal)).body);
    yield* answer.markets;
    if (answer.next === null || answer.next === cursor) return;
    cursor = answer.next;
  }
}

/** `{markets, next_cursor}` is documented; other listings of Gamma answer `{data}` or a bare list. */
function readPage(answer: unknown): { markets: readonly unknown[]; next: string | null } {
  const body = (Array.isArray(answer) ? { data: answer } : answer) as Record<string, unknown> | null;
  const markets = body?.['markets'] ?? body?.['data'];
  if (!Array.isArray(markets)) throw garbled('Gamma: not a list of markets');
  const next = body?.['next_cursor'];
  return { markets, next: typeof next === 'string' && next !== '' ? next : null };
}
