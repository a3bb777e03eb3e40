import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';

export interface TapeTrade {
  readonly proxyWallet: string;
  readonly side: 'BUY' | 'SELL';
  readonly asset: string;
  readonly conditionId: string;
  readonly size: number;
  readonly price: number;
  /** Epoch seconds. */
  readonly timestamp: number;
  readonly title: string;
  readonly slug: string;
  readonly eventSlug: string;
  readonly outcome: string;
  readonly outcomeIndex: number;
  readonly transactionHash: string;
  /** As the market flags some trades of combos. */
  readonly is_combo?: boolean;
}

/** A market row of a tape: Gamma's fields, lists as JSON text in a string. In force from `at` (epoch seconds). */
export type TapeMarket = Readonly<Record<string, unknown>> & {
  readonly conditionId: string;
  readonly question: string;
  readonly at: number;
};

export function tokensOf(market: TapeMarket): readonly string[] {
  return JSON.parse(String(market['clobTokenIds'] ?? '[]')) as string[];
}

export interface TapeWallet {
  readonly proxyWallet: string;
  readonly createdAt: string | null;
}

/** What the market will do, trades by time. */
export interface MarketTape {
  readonly count: number;
  /** Epoch seconds; never less than the one before. */
  timeOf(index: number): number;
  trade(index: number): TapeTrade;
  readonly markets: readonly TapeMarket[];
  readonly wallets: ReadonlyMap<string, TapeWallet>;
}

type AnyRow = Readonly<Record<string, unknown>>;

export async function readRows(file: string): Promise<readonly AnyRow[]> {
  const bytes = createReadStream(file);
  const input = file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes;
  const rows: AnyRow[] = [];
  for await (const line of createInterface({ input })) if (line !== '') rows.push(JSON.parse(line) as AnyRow);
  return rows;
}

/** The tape of these rows: header, markets, wallets and trades, in any order of time. */
export function tapeOf(rows: readonly AnyRow[]): MarketTape {
  const trades = rows.filter((row) => 'side' in row) as readonly unknown[] as readonly TapeTrade[];
  const sorted = trades.toSorted((a, b) => a.timestamp - b.timestamp);
  const wallets = new Map<string, TapeWallet>();
  const markets: TapeMarket[] = [];
  const volumes = dayVolumes(sorted);
  let at = sorted[0]?.timestamp ?? 0;
  for (const row of rows) {
    if ('side' in row) at = Math.max(at, Number(row['timestamp']));
    else if ('question' in row) {
      const volume24hr = volumes.get(String(row['conditionId'])) ?? 0;
      markets.push({ at, volume24hr, ...row } as unknown as TapeMarket);
    } else if ('proxyWallet' in row) wallets.set(String(row['proxyWallet']), row as unknown as TapeWallet);
  }
  const tradeAt = (index: number) => sorted[index] as TapeTrade;
  return {
    count: sorted.length,
    timeOf: (index) => tradeAt(index).timestamp,
    trade: tradeAt,
    markets: markets.toSorted((a, b) => a.at - b.at),
    wallets,
  };
}

/** What a market trades on an average day, for tapes that do not say: the same whenever it is asked for. */
function dayVolumes(trades: readonly TapeTrade[]): ReadonlyMap<string, number> {
  const sums = new Map<string, { usdc: number; from: number; until: number }>();
  for (const { conditionId, size, price, timestamp } of trades) {
    const sum = sums.get(conditionId) ?? { usdc: 0, from: timestamp, until: timestamp };
    sums.set(conditionId, { usdc: sum.usdc + size * price, from: sum.from, until: timestamp });
  }
  return new Map(
    [...sums].map(([id, { usdc, from, until }]) => [
      id,
      Math.round(usdc / Math.max(1, (until - from) / 86_400)),
    ]),
  );
}

/** The same tape with other times; `toTime` never goes back. */
export function retimed(tape: MarketTape, toTime: (seconds: number) => number): MarketTape {
  const later = (iso: unknown) =>
    typeof iso === 'string' ? new Date(toTime(Date.parse(iso) / 1_000) * 1_000).toISOString() : iso;
  const timeOf = (index: number) => Math.floor(toTime(tape.timeOf(index)));
  return {
    ...tape,
    timeOf,
    trade: (index) => ({ ...tape.trade(index), timestamp: timeOf(index) }),
    markets: tape.markets.map((market) => ({
      ...market,
      at: Math.floor(toTime(market.at)),
      ...('endDate' in market && { endDate: later(market['endDate']) }),
    })),
    wallets: new Map(
      [...tape.wallets].map(([id, wallet]) => [
        id,
        { ...wallet, createdAt: later(wallet.createdAt) as string | null },
      ]),
    ),
  };
}
