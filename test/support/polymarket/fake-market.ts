import {
  type MarketClient,
  type MarketRequest,
  UpstreamFault,
} from '../../../src/infra/market/polymarket/client/market-client.ts';

/** The routes that markets and their outcomes are read from, as documented, in memory. */
export class FakeMarket {
  readonly requests: URL[] = [];
  /** Markets of Gamma, open and closed, and resolutions of the Data API. */
  markets: Record<string, unknown>[] = [];
  resolutions: Record<string, unknown>[] = [];
  /** Answers with this status instead, by path. */
  readonly failing = new Map<string, number>();
  /** Ids that a request is refused for with 400, whatever else it asks for. */
  readonly badIds = new Set<string>();
  /** By which width of a Protocol V2 market's id Gamma finds it. */
  gammaWidth: 'own' | 'padded' = 'own';
  readonly client: MarketClient = {
    get: async (request) => {
      const url = urlOf(request);
      this.requests.push(url);
      const status = this.failing.get(url.pathname) ?? (hasBadId(this, url) ? 400 : 200);
      if (status !== 200) throw new UpstreamFault(`${status}`, { outcome: 'refused', status });
      return { body: answer(this, url), ageMs: 0, asOf: Date.now() };
    },
  };
}

export function urlOf({ path, query }: MarketRequest): URL {
  const url = new URL(path, 'http://market');
  for (const [name, value] of Object.entries(query))
    for (const each of [value].flat()) url.searchParams.append(name, String(each));
  return url;
}

/** The Data API takes ids of 64 digits only. */
function hasBadId({ badIds }: FakeMarket, { pathname, searchParams }: URL): boolean {
  const asked = [
    ...searchParams.getAll('condition_ids'),
    ...searchParams.getAll('clob_token_ids'),
    ...(searchParams.get('condition')?.split(',') ?? []),
  ];
  const isOdd = (id: string) => pathname === '/v2/resolutions' && !/^0x[0-9a-f]{64}$/.test(id);
  return asked.some((id) => badIds.has(id) || isOdd(id));
}

function answer(market: FakeMarket, { pathname, searchParams }: URL): unknown {
  if (pathname === '/v2/resolutions') {
    const asked = searchParams.get('condition')?.split(',') ?? [];
    return { data: market.resolutions.filter(({ condition_id }) => asked.includes(String(condition_id))) };
  }
  const asked = searchParams.getAll('condition_ids');
  const tokens = searchParams.getAll('clob_token_ids');
  const closed = searchParams.get('closed');
  const keyOf = ({ conditionId }: Record<string, unknown>) => {
    const id = String(conditionId).toLowerCase();
    return market.gammaWidth === 'padded' ? id.padEnd(66, '0') : id;
  };
  const markets = market.markets.filter(
    (row) =>
      (asked.includes(keyOf(row)) || tokensOf(row).some((token) => tokens.includes(token))) &&
      // Whatever is listed without it.
      closed === String(row['closed'] === true),
  );
  return { markets };
}

/** By what Gamma is assumed to find a market for `clob_token_ids`: not by the positions of Protocol V2. */
function tokensOf({ clobTokenIds }: Record<string, unknown>): readonly string[] {
  const ids = typeof clobTokenIds === 'string' ? JSON.parse(clobTokenIds) : clobTokenIds;
  return Array.isArray(ids) ? ids : [];
}
