import type { SteadyClock } from '../../../../core/base/time/clock.ts';
import type { MarketClient, MarketUrls } from '../client/market-client.ts';

/** Reads from one address what the service reads there. Resolves to what was read; rejects with what is wrong. */
export interface Check {
  readonly address: string;
  read(): Promise<string>;
}

/** What checks share. */
export interface Examination {
  readonly market: MarketUrls;
  readonly client: MarketClient;
  readonly clock: SteadyClock;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/** An answer came, but it is not what the service needs. The message says what is wrong and what to do. */
export class Misfit extends Error {
  override readonly name = 'Misfit';
}

export const UPDATE = 'The format has changed: update Tipoff.';
