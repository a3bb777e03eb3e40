import { appendFile, writeFile } from 'node:fs/promises';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { startService } from '../../test/support/service-process.ts';
import { repeatedly } from './repeatedly.ts';

const HEADER = `${JSON.stringify({ tape: { history: 'complete' } })}\n`;
const START_SECONDS = Date.UTC(2025, 11, 2) / 1_000;
const APART_SECONDS = 600;
/** Of one outcome; each gives one alert: fresh, a larger one, fresh_accumulator, fresh, cluster. */
const BUYS = [
  { wallet: 'a', usdc: 1_600 },
  { wallet: 'a', usdc: 4_000 },
  { wallet: 'a', usdc: 200 },
  { wallet: 'b', usdc: 1_200 },
  { wallet: 'c', usdc: 300 },
] as const;
const PRICES = [0.1, 0.2, 0.25, 0.4, 0.5, 0.8];

function tradeAt(n: number) {
  const market = Math.floor(n / BUYS.length);
  const { wallet, usdc } = BUYS[n % BUYS.length] as (typeof BUYS)[number];
  const price = PRICES[market % PRICES.length] as number;
  return {
    proxyWallet: `0x${wallet}${market}`,
    side: 'BUY',
    asset: `${1_000 + market}`,
    conditionId: `0xm${market}`,
    size: Math.round(usdc / price),
    price,
    timestamp: START_SECONDS + n * APART_SECONDS,
    title: `Will measure ${market} pass?`,
    slug: `will-measure-${market}-pass`,
    outcome: 'Yes',
    outcomeIndex: 0,
    transactionHash: `0xt${n}`,
  };
}

export function tradeOf({ tradedAt }: Pick<Alert, 'tradedAt'>): number {
  return Math.round((tradedAt / 1_000 - START_SECONDS) / APART_SECONDS);
}

function linesOf(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, n) => `${JSON.stringify(tradeAt(from + n))}\n`).join('');
}

export function contentOf(alert: Alert) {
  const { createdAt, detectedAt, publishedAt, resolution, log, isHistory, ...content } = alert;
  return content;
}
export type AlertContent = ReturnType<typeof contentOf>;

export async function undisturbedAlerts(folder: string, trades: number): Promise<readonly AlertContent[]> {
  const [tape, url] = [`${folder}/undisturbed.jsonl`, `sqlite:${folder}/undisturbed.db`];
  await writeFile(tape, HEADER + linesOf(0, trades));
  const service = startService({ DATABASE_URL: url, MARKET_SOURCE: `replay:${tape}`, ROLES: 'ingest' });
  try {
    await service.logged('the source has ended');
  } finally {
    await service.end('SIGTERM');
  }
  await using database = await openDatabase(url);
  return (await database.alerts.after(0, 1_000_000)).map(contentOf);
}

export type GrowingTape = ReturnType<typeof createGrowingTape>;

/** A tape to which a trade is appended every so often. */
export function createGrowingTape(file: string, everyMs: number) {
  const writtenAt: number[] = [];
  let stop = async () => {};
  return {
    file,
    /** When each of its trades was written. */
    writtenAt: writtenAt as readonly number[],
    async start(): Promise<void> {
      await writeFile(file, HEADER);
      stop = repeatedly(everyMs, async () => {
        await appendFile(file, linesOf(writtenAt.length, writtenAt.length + 1));
        writtenAt.push(performance.now());
      });
    },
    stop: () => stop(),
  };
}
