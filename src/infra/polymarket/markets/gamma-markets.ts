import type { Clock } from '../../../core/clock.ts';
import { HOUR_MS } from '../../../core/duration.ts';
import type { Logger } from '../../../core/ports/logger.ts';
import { type MarketClient, UpstreamFault } from '../client/market-client.ts';
import { inBatches } from '../in-batches.ts';

/** Ids a request: 100 are allowed, 25 keep its address at 2 KB. */
const BATCH = 25;
const PAGE = 100;
/** A batch fits in one page; a server that goes on for longer does not heed what it is asked. */
const MOST_PAGES = 5;

export interface GammaMarkets {
  /** What Gamma says of these markets, by id in lower case; those it does not know are absent. Rejects when it fails. */
  ask(marketIds: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, unknown>>;
}

interface GammaDeps {
  readonly client: Pick<MarketClient, 'get'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
}

type Query = Readonly<Record<string, string | boolean | readonly string[]>>;

/**
 * Asks Gamma for markets by their condition ids: those it does not list among the open ones once more among the closed
 * ones. The older listing is asked for an hour whenever the keyset one is refused.
 */
export function createGammaMarkets({ client, clock, logger }: GammaDeps): GammaMarkets {
  let isOldUntil = 0;

  async function page(query: Query, signal: AbortSignal): Promise<unknown> {
    const get = async (path: string) => {
      const request = { api: 'gamma', path, query: { ...query, limit: PAGE }, purpose: 'markets' } as const;
      return (await client.get(request, signal)).body;
    };
    if (clock.now() < isOldUntil) return get('/markets');
    try {
      return await get('/markets/keyset');
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const answer = await get('/markets');
      isOldUntil = clock.now() + HOUR_MS;
      logger.warn(
        { err: error },
        'the keyset listing of markets is refused; the older one is asked for an hour',
      );
      return answer;
    }
  }

  async function askBatch(ids: readonly string[], closed: boolean, signal: AbortSignal) {
    const found = new Map<string, unknown>();
    const base = { condition_ids: ids, include_tag: true, ...(closed && { closed }) };
    let cursor: string | null = null;
    for (let count = 0; count < MOST_PAGES && found.size < ids.length; count += 1) {
      const answer = readPage(await page(cursor === null ? base : { ...base, after_cursor: cursor }, signal));
      for (const market of answer.markets) {
        const id = idOf(market);
        if (id !== null && ids.includes(id)) found.set(id, market);
      }
      if (answer.next === null || answer.next === cursor) break;
      cursor = answer.next;
    }
    return found;
  }

  return {
    async ask(marketIds, signal) {
      const found = new Map<string, unknown>();
      const wanted = new Set(marketIds.map((id) => id.toLowerCase()).filter(isConditionId));
      for (const batch of inBatches([...wanted], BATCH)) {
        for (const [id, market] of await askBatch(batch, false, signal)) found.set(id, market);
        const missing = batch.filter((id) => !found.has(id));
        if (missing.length === 0) continue;
        for (const [id, market] of await askBatch(missing, true, signal)) found.set(id, market);
      }
      return found;
    },
  };
}

/** One malformed id would have its whole batch refused. */
export function isConditionId(id: string): boolean {
  return /^0x[0-9a-f]{1,64}$/.test(id);
}

/** Documented is `{markets, next_cursor}`; `{data}` and a bare list are known of its other listings. */
function readPage(answer: unknown): { markets: readonly unknown[]; next: string | null } {
  const body = (Array.isArray(answer) ? { data: answer } : answer) as Record<string, unknown> | null;
  const markets = body?.['markets'] ?? body?.['data'];
  if (!Array.isArray(markets))
    throw new UpstreamFault('Gamma answered no list of markets', { outcome: 'garbled', status: 200 });
  const next = body?.['next_cursor'];
  return { markets, next: typeof next === 'string' && next !== '' ? next : null };
}

function idOf(market: unknown): string | null {
  const id = (market as { conditionId?: unknown } | null)?.conditionId;
  return typeof id === 'string' ? id.toLowerCase() : null;
}

/** The route or its parameters are not what they were; a limit, a timeout or a fault of the server passes. */
function isRefusal(error: unknown): boolean {
  return error instanceof UpstreamFault && [400, 404, 405, 410, 422].includes(error.status ?? 0);
}
