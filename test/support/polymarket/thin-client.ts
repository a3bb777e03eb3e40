import {
  type MarketClient,
  UpstreamFault,
} from '../../../src/infra/market/polymarket/client/market-client.ts';

/** The thinnest client there can be: real HTTP, without budget and time limits. */
export function thinClient(base: string): MarketClient {
  return {
    async get({ path, query }, signal) {
      const url = new URL(path, base);
      for (const [name, value] of Object.entries(query))
        for (const each of [value].flat()) url.searchParams.append(name, String(each));
      const response = await fetch(url, { signal });
      const { status } = response;
      if (response.ok)
        return {
          body: await response.json().catch(() => {
            throw new UpstreamFault('no JSON', { outcome: 'garbled', status });
          }),
          ageMs: 0,
          asOf: Date.now(),
        };
      await response.body?.cancel();
      throw new UpstreamFault(`${status}`, { outcome: status === 429 ? 'limited' : 'refused', status });
    },
    close: async () => {},
  };
}
