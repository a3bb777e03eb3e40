import type { Clock } from '../../../core/clock.ts';
import { HOUR_MS } from '../../../core/duration.ts';
import type { Logger } from '../../../core/ports/logger.ts';
import { conditionIdOf, isConditionId } from '../../sources/condition-id.ts';
import { type MarketClient, UpstreamFault } from '../client/market-client.ts';
import { inBatches } from '../in-batches.ts';
import { askInHalves } from '../in-halves.ts';

/** Ids a request: 100 are allowed, 25 keep its address at 2 KB. */
const BATCH = 25;
const PAGE = 100;
/** A batch fits in one page; a server that goes on for longer does not heed what it is asked. */
const MOST_PAGES = 5;

export interface GammaMarkets {
  /** What Gamma says of these markets, by id; those it does not know, or refuses, are absent. Rejects when it fails. */
  ask(marketIds: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, unknown>>;
}

interface GammaDeps {
  readonly client: Pick<MarketClient, 'get'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
}

type Query = Readonly<Record<string, string | boolean | readonly string[]>>;

/** How ids are asked for. */
interface Form {
  readonly closed: boolean;
  /** By the 31 bytes that Gamma itself writes of a Protocol V2 id: no document says by which of the two it finds them. */
  readonly isShort: boolean;
}

/**
 * Asks Gamma for markets by their condition ids: those it does not list among the open ones once more among the closed
 * ones, then those of Protocol V2 by their short form.
 */
export function createGammaMarkets(deps: GammaDeps): GammaMarkets {
  const page = listingOf(deps);

  async function askBatch(ids: readonly string[], { closed, isShort }: Form, signal: AbortSignal) {
    const found = new Map<string, unknown>();
    const asked = isShort ? ids.map((id) => id.slice(0, -2)) : ids;
    const base = { condition_ids: asked, include_tag: true, ...(closed && { closed }) };
    let cursor: string | null = null;
    for (let count = 0; count < MOST_PAGES && found.size < ids.length; count += 1) {
      const query = cursor === null ? base : { ...base, after_cursor: cursor };
      const answer = readPage(await page(query, isShort, signal));
      for (const market of answer.markets) {
        const id = idOf(market);
        if (id !== null && ids.includes(id)) found.set(id, market);
      }
      if (answer.next === null || answer.next === cursor) break;
      cursor = answer.next;
    }
    return found;
  }

  /** That Gamma refuses the short form is no fault. */
  async function askShort(ids: readonly string[], closed: boolean, signal: AbortSignal) {
    try {
      const how = { closed, isShort: true };
      return (await askInHalves(ids, (some) => askBatch(some, how, signal))).found;
    } catch (error) {
      if (isRefusal(error)) return [];
      throw error;
    }
  }

  return {
    async ask(marketIds, signal) {
      const found = new Map<string, unknown>();
      const refused = new Set<string>();
      const wanted = [...new Set(marketIds.map(conditionIdOf).filter(isConditionId))];
      for (const batch of inBatches(wanted, BATCH)) {
        const missing = () => batch.filter((id) => !found.has(id) && !refused.has(id));
        for (const closed of [false, true]) {
          if (missing().length === 0) break;
          const how = { closed, isShort: false };
          const asked = await askInHalves(missing(), (ids) => askBatch(ids, how, signal));
          for (const [id, market] of asked.found) found.set(id, market);
          for (const id of asked.refused) refused.add(id);
          if (asked.refusal !== null && refused.size === wanted.length) throw asked.refusal;
        }
        for (const closed of [false, true]) {
          const ids = missing().filter(hasShortForm);
          if (ids.length === 0) break;
          for (const [id, market] of await askShort(ids, closed, signal)) found.set(id, market);
        }
      }
      return found;
    },
  };
}

/** Reads a page of the keyset listing; the older one is read for an hour whenever that is refused. */
function listingOf({ client, clock, logger }: GammaDeps) {
  let isOldUntil = 0;
  return async (query: Query, isShort: boolean, signal: AbortSignal): Promise<unknown> => {
    const get = async (path: string) => {
      const request = { api: 'gamma', path, query: { ...query, limit: PAGE }, purpose: 'markets' } as const;
      return (await client.get(request, signal)).body;
    };
    if (clock.now() < isOldUntil) return get('/markets');
    try {
      return await get('/markets/keyset');
    } catch (error) {
      // A short form may be refused for what it is.
      if (isShort || !isRefusal(error)) throw error;
      const answer = await get('/markets');
      isOldUntil = clock.now() + HOUR_MS;
      logger.warn(
        { err: error },
        'the keyset listing of markets is refused; the older one is asked for an hour',
      );
      return answer;
    }
  };
}

/** An id of Protocol V2 has 31 bytes: in its padded form the last is 0. */
function hasShortForm(id: string): boolean {
  return id.endsWith('00');
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
  return typeof id === 'string' ? conditionIdOf(id) : null;
}

/** The route or its parameters are not what they were; a limit, a timeout or a fault of the server passes. */
function isRefusal(error: unknown): boolean {
  return error instanceof UpstreamFault && [400, 404, 405, 410, 422].includes(error.status ?? 0);
}
