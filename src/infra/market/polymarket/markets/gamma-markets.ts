import type { Clock } from '../../../../core/base/time/clock.ts';
import { HOUR_MS } from '../../../../core/base/time/duration.ts';
import { isProtocolV2Market } from '../../../../core/trades/position-id.ts';
import { conditionIdOf, isConditionId, parseJson } from '../../tapes/text-fields.ts';
import { askInHalves, inBatches } from '../batches.ts';
import { garbled, isRouteGone, type UpstreamFault } from '../client/market-client.ts';
import type { FeedTools } from '../feed-tools.ts';

/** Ids per request: 100 are allowed, 25 keep the URL at 2 KB. */
const BATCH = 25;
/** Values of `closed`: Gamma lists open markets unless closed ones are requested. */
const LISTS = [false, true] as const;
/** How long the width that last found a market of Protocol V2 is tried alone. */
const WIDTH_HOLDS_MS = HOUR_MS;

/** Width of a Protocol V2 id in a request: it is not documented whether Gamma finds it by its own 31 bytes or by the padded 32. */
type Width = 'short' | 'padded';

/** Requests markets from Gamma. */
export class GammaMarkets {
  readonly #client: FeedTools['client'];
  readonly #clock: Pick<Clock, 'now'>;
  #width: { readonly value: Width; readonly until: number } | null = null;

  constructor({ client, clock }: Pick<FeedTools, 'client' | 'clock'>) {
    this.#client = client;
    this.#clock = clock;
  }

  /** Gamma's answers for these markets, by id. Unknown and refused ids are absent. Rejects when Gamma fails. */
  ask(marketIds: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, unknown>> {
    const ids = marketIds.map(conditionIdOf).filter(isConditionId);
    return this.#askAll(ids, (batch) => this.#askMarkets(batch, signal));
  }

  /** The same by token ids: a market is contained once for each of its tokens. */
  askTokens(tokenIds: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, unknown>> {
    return this.#askAll(tokenIds, async (batch) => {
      const search = new Search(batch);
      for (const closed of LISTS)
        await search.round(search.missing(), (ids) => this.#readTokens(ids, closed, signal));
      return search;
    });
  }

  async #askAll(ids: readonly string[], ask: (batch: readonly string[]) => Promise<Search>) {
    const found = new Map<string, unknown>();
    const wanted = [...new Set(ids)];
    let refused = 0;
    for (const batch of inBatches(wanted, BATCH)) {
      const search = await ask(batch);
      for (const [id, market] of search.found) found.set(id, market);
      refused += search.refused.size;
      if (search.refusal !== null && refused === wanted.length) throw search.refusal;
    }
    return found;
  }

  /**
   * Markets that are not among the open ones are requested among the closed ones; then those of Protocol V2 by the other
   * width, unless it is known which width Gamma accepts.
   */
  async #askMarkets(batch: readonly string[], signal: AbortSignal): Promise<Search> {
    const search = new Search(batch);
    const known = this.#knownWidth;
    const width = known ?? 'padded';
    for (const closed of LISTS) await this.#round(search, search.missing(), { closed, width }, signal);
    const isKnownFor = (id: string) => known !== null && this.#knownWidth === known && isProtocolV2Market(id);
    const other = width === 'padded' ? 'short' : 'padded';
    for (const closed of LISTS) {
      const ids = search.missing().filter((id) => hasShortForm(id) && !isKnownFor(id));
      await this.#round(search, ids, { closed, width: other }, signal);
    }
    return search;
  }

  /** A refusal of short ids is not a failure: the padded ids are requested then. */
  async #round(search: Search, ids: readonly string[], form: Form, signal: AbortSignal): Promise<void> {
    const read = (some: readonly string[]) => this.#read(some, form, signal);
    if (form.width === 'padded') return search.round(ids, read);
    try {
      const { found, refused } = await askInHalves(ids, read);
      for (const [id, market] of found) search.found.set(id, market);
      if (refused.length > 0) this.#width = null;
    } catch (error) {
      if (!isRouteGone(error)) throw error;
      this.#width = null;
    }
  }

  async #read(ids: readonly string[], { closed, width }: Form, signal: AbortSignal) {
    const isShort = width === 'short';
    const written = isShort ? ids.map((id) => (hasShortForm(id) ? id.slice(0, -2) : id)) : ids;
    const query: GammaQuery = { condition_ids: written, ...(closed && { closed }) };
    const found = new Map<string, unknown>();
    for await (const market of listMarkets(this.#client, query, signal)) {
      const id = idOf(market);
      if (id === null || !ids.includes(id)) continue;
      found.set(id, market);
      if (isProtocolV2Market(id)) this.#width = { value: width, until: this.#clock.now() + WIDTH_HOLDS_MS };
      if (found.size === ids.length) break;
    }
    return found;
  }

  async #readTokens(ids: readonly string[], closed: boolean, signal: AbortSignal) {
    const query: GammaQuery = { clob_token_ids: ids, ...(closed && { closed }) };
    const found = new Map<string, unknown>();
    for await (const market of listMarkets(this.#client, query, signal)) {
      for (const id of tokensIn(market)) if (ids.includes(id)) found.set(id, market);
      if (found.size === ids.length) break;
    }
    return found;
  }

  get #knownWidth(): Width | null {
    return this.#width !== null && this.#clock.now() < this.#width.until ? this.#width.value : null;
  }
}

/** How ids are sent. */
interface Form {
  readonly closed: boolean;
  readonly width: Width;
}

/** A batch of ids and the results so far. */
class Search {
  readonly found = new Map<string, unknown>();
  /** Ids of which no request was accepted. */
  readonly refused = new Set<string>();
  refusal: UpstreamFault | null = null;
  readonly #ids: readonly string[];

  constructor(ids: readonly string[]) {
    this.#ids = ids;
  }

  missing(): readonly string[] {
    return this.#ids.filter((id) => !this.found.has(id) && !this.refused.has(id));
  }

  async round(
    ids: readonly string[],
    read: (ids: readonly string[]) => Promise<ReadonlyMap<string, unknown>>,
  ): Promise<void> {
    const asked = await askInHalves(ids, read);
    for (const [id, market] of asked.found) this.found.set(id, market);
    for (const id of asked.refused) this.refused.add(id);
    this.refusal ??= asked.refusal;
  }
}

/** An id of Protocol V2 has 31 bytes; the last byte of its padded form is 0. */
function hasShortForm(id: string): boolean {
  return id.endsWith('00');
}

function idOf(market: unknown): string | null {
  const id = (market as { conditionId?: unknown } | null)?.conditionId;
  return typeof id === 'string' ? conditionIdOf(id) : null;
}

/** Tokens of either protocol: which one it is shows when the market is parsed. */
function tokensIn(market: unknown): readonly string[] {
  const { clobTokenIds, positionIds } = (market ?? {}) as Record<string, unknown>;
  return [clobTokenIds, positionIds].flatMap((ids) => {
    const list = typeof ids === 'string' ? parseJson(ids) : ids;
    return Array.isArray(list) ? list.map(String) : [];
  });
}

const PAGE = 100;
/** One request's markets fit in one page; a server with more pages ignores the query. */
const MOST_PAGES = 5;

type GammaQuery = Readonly<Record<string, string | boolean | readonly string[]>>;

/** The markets of a query with their tags, as Gamma writes them, by keyset. A page is requested when it is read. */
async function* listMarkets(
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

/** `{markets, next_cursor}`, as documented. */
function readPage(answer: unknown): { markets: readonly unknown[]; next: string | null } {
  const body = answer as Record<string, unknown> | null;
  const markets = body?.['markets'];
  if (!Array.isArray(markets)) throw garbled('Gamma: not a list of markets');
  const next = body?.['next_cursor'];
  return { markets, next: typeof next === 'string' && next !== '' ? next : null };
}
