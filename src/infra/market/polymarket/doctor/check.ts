import type { Clock } from '../../../../core/base/time/clock.ts';
import type { MarketClient, MarketUrls } from '../client/market-client.ts';

/** Reads from one address what the service reads there. Resolves to what was read; rejects with what is wrong. */
export interface Check {
  readonly address: string;
  /** What it asks for is in the newest trades: without one it shows only that the address answers. */
  readonly needsTrade: boolean;
  read(): Promise<string>;
}

/** What checks share. */
export interface Examination {
  readonly market: MarketUrls;
  readonly client: MarketClient;
  /** Shows the market's time once an answer had one, so that a wrong clock of this host is reported alone. */
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/** An answer came, but it is not what the service needs. The message says what is wrong and what to do. */
export class Misfit extends Error {
  override readonly name = 'Misfit';
}

export const UPDATE = 'The format has changed: update Tipoff.';

/** Throws a `Misfit` unless at least this share of all is there. Returns `18 of 20 markets`. */
export function shareText(
  { count, of, what }: { readonly count: number; readonly of: number; readonly what: string },
  least: number,
  advice: string,
): string {
  const text = `${count} of ${of} ${what}`;
  if (count < of * least) throw new Misfit(`only ${text}. ${advice}`);
  return text;
}
