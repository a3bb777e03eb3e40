import { HOUR_MS } from '../../../core/duration.ts';
import { garbled, isRouteGone } from '../client/market-client.ts';
import type { FeedTools } from '../feed-tools.ts';

const PAGE = 100;
/** One request's markets fit in one page; a server with more pages ignores the query. */
const MOST_PAGES = 5;

export type GammaQuery = Readonly<Record<string, string | boolean | readonly string[]>>;

/** Gamma's listing of markets by keyset. When that is refused, the older listing is read for an hour. */
export class GammaListing {
  readonly #deps: Pick<FeedTools, 'client' | 'clock' | 'logger'>;
  #isOldUntil = 0;

  constructor(deps: Pick<FeedTools, 'client' | 'clock' | 'logger'>) {
    this.#deps = deps;
  }

  /**
   * The markets of a query with their tags, as Gamma writes them. A page is requested when it is read. `mayBeRefused`: the
   * query contains ids that Gamma may refuse as such, so that a refusal says nothing about the route.
   */
  async *markets(query: GammaQuery, mayBeRefused: boolean, signal: AbortSignal): AsyncGenerator<unknown> {
    let cursor: string | null = null;
    for (let count = 0; count < MOST_PAGES; count += 1) {
      const page: GammaQuery = { ...query, include_tag: true, ...(cursor && { after_cursor: cursor }) };
      const answer = readPage(await this.#page(page, mayBeRefused, signal));
      yield* answer.markets;
      if (answer.next === null || answer.next === cursor) return;
      cursor = answer.next;
    }
  }

  async #page(query: GammaQuery, mayBeRefused: boolean, signal: AbortSignal): Promise<unknown> {
    if (this.#deps.clock.now() < this.#isOldUntil) return this.#get('/markets', query, signal);
    try {
      return await this.#get('/markets/keyset', query, signal);
    } catch (error) {
      if (mayBeRefused || !isRouteGone(error)) throw error;
      const answer = await this.#get('/markets', query, signal);
      this.#isOldUntil = this.#deps.clock.now() + HOUR_MS;
      this.#deps.logger.warn(
        { err: error },
        'keyset listing of markets refused; using the older listing for an hour',
      );
      return answer;
    }
  }

  async #get(path: string, query: GammaQuery, signal: AbortSignal): Promise<unknown> {
    const request = { api: 'gamma', path, query: { ...query, limit: PAGE }, purpose: 'markets' } as const;
    return (await this.#deps.client.get(request, signal)).body;
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
