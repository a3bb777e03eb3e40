import { z } from 'zod';
import { conditionIdOf, isConditionId, parseJson } from '../../tapes/text-fields.ts';
import { askInHalves, getAs, inBatches, type MarketClient } from '../client/market-client.ts';

/** Ids per request: 100 are allowed, 25 keep the URL at 2 KB, or at 4 KB with both forms of each. */
const BATCH = 25;
/** The markets of one request fit in one page. */
const PAGE = 100;
const REQUEST = { api: 'gamma', path: '/markets/keyset', purpose: 'markets' } as const;
const answerSchema = z.object({ markets: z.array(z.unknown()) });
/** Values of `closed`, each stated: documents and behaviour differ in what Gamma lists without it. */
const LISTS = [false, true] as const;

interface Key {
  readonly parameter: 'condition_ids' | 'clob_token_ids';
  /** All forms in which the ids are sent. One that is refused costs the others nothing. */
  formsOf(ids: readonly string[]): readonly string[];
  idsOf(market: unknown): readonly string[];
}

/** Which form of a Protocol V2 id Gamma knows is not documented: both are sent, padded ones first. */
const BY_MARKET: Key = {
  parameter: 'condition_ids',
  formsOf: (ids) => [...ids, ...ids.filter((id) => id.endsWith('00')).map((id) => id.slice(0, -2))],
  idsOf(market) {
    const id = (market as { conditionId?: unknown } | null)?.conditionId;
    return typeof id === 'string' ? [conditionIdOf(id)] : [];
  },
};

/** Tokens of either protocol: which one it is shows when the market is parsed. */
const BY_TOKEN: Key = {
  parameter: 'clob_token_ids',
  formsOf: (ids) => ids,
  idsOf(market) {
    const { clobTokenIds, positionIds } = (market ?? {}) as Record<string, unknown>;
    return [clobTokenIds, positionIds].flatMap((ids) => {
      const list = typeof ids === 'string' ? parseJson(ids) : ids;
      return Array.isArray(list) ? list.map(String) : [];
    });
  },
};

type Answers = Promise<ReadonlyMap<string, unknown>>;

/** Gamma's answers for these markets, by id. Unknown and refused ids are absent. Rejects when Gamma fails or refuses all. */
export function gammaMarkets(
  client: MarketClient,
  marketIds: readonly string[],
  signal: AbortSignal,
): Answers {
  return ask(client, { key: BY_MARKET, ids: marketIds.map(conditionIdOf).filter(isConditionId) }, signal);
}

/** The same by token ids: a market is contained once for each of its tokens. */
export function gammaMarketsOfTokens(
  client: MarketClient,
  ids: readonly string[],
  signal: AbortSignal,
): Answers {
  return ask(client, { key: BY_TOKEN, ids }, signal);
}

async function ask(
  client: MarketClient,
  { key, ids }: { readonly key: Key; readonly ids: readonly string[] },
  signal: AbortSignal,
): Answers {
  const found = new Map<string, unknown>();
  const refused = new Set<string>();
  const wanted = [...new Set(ids)];
  for (const batch of inBatches(wanted, BATCH)) {
    for (const closed of LISTS) {
      const forms = key.formsOf(batch.filter((id) => !found.has(id))).filter((form) => !refused.has(form));
      const asked = await askInHalves(forms, async (some) => {
        const query = { [key.parameter]: some, closed, include_tag: true, limit: PAGE };
        const { data } = await getAs(client, { ...REQUEST, query }, answerSchema, signal);
        return byId(data.markets, some.map(conditionIdOf), key);
      });
      for (const [id, market] of asked.found) found.set(id, market);
      for (const form of asked.refused) refused.add(form);
      if (asked.refusal !== null && wanted.every((id) => refused.has(id))) throw asked.refusal;
    }
  }
  return found;
}

function byId(markets: readonly unknown[], ids: readonly string[], { idsOf }: Key) {
  const wanted = new Set(ids);
  const pairs = markets.flatMap((market) => idsOf(market).map((id): [string, unknown] => [id, market]));
  return new Map(pairs.filter(([id]) => wanted.has(id)));
}
