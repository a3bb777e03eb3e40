import { onTestFinished } from 'vitest';
import { createFakeClock, type FakeClock } from '../clock.ts';
import type { Fault } from './faults.ts';
import type { MarketProfile } from './market-profile.ts';
import type { MarketTape } from './market-tape.ts';
import { smallTape, TAPE_START_S } from './small-tape.ts';
import { type MarketStandIn, startMarket } from './start-market.ts';

/** What was answered. */
export interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever was answered
  readonly body: any;
}

export interface OpenMarket {
  readonly market: MarketStandIn;
  readonly clock: FakeClock;
  get(
    path: string,
    query?: Readonly<Record<string, string | number>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Got>;
}

/** A simulator over the small tape at its end, until the test ends. */
export async function openMarket({
  count = 100,
  faults = [],
  tape = smallTape(count),
  ...profile
}: Partial<MarketProfile> & {
  count?: number;
  faults?: readonly Fault[];
  tape?: MarketTape;
} = {}): Promise<OpenMarket> {
  const clock = createFakeClock((TAPE_START_S + count) * 1_000);
  const market = await startMarket({ tape, clock, faults: { seed: 7, faults }, profile });
  onTestFinished(() => market.close());
  return {
    market,
    clock,
    async get(path, query = {}, headers = {}) {
      const parameters = new URLSearchParams();
      for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
      const response = await fetch(`${market.url}${path}?${parameters}`, { headers });
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, body: jsonOf(text) };
    },
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
