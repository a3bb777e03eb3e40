import { appendFile, writeFile } from 'node:fs/promises';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { runTape } from '../../src/wiring/tape-record.ts';
import { upstreamTrade } from '../../test/support/polymarket/upstream-rows.ts';
import { repeatedly } from '../support/repeatedly.ts';

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

function lineOf(n: number): string {
  const market = Math.floor(n / BUYS.length);
  const { wallet, usdc } = BUYS[n % BUYS.length] as (typeof BUYS)[number];
  const price = PRICES[market % PRICES.length] as number;
  const trade = upstreamTrade({
    proxyWallet: `0x${wallet}${market}`,
    asset: `${1_000 + market}`,
    conditionId: `0xm${market}`,
    size: Math.round(usdc / price),
    price,
    timestamp: START_SECONDS + n * APART_SECONDS,
    transactionHash: `0xt${n}`,
  });
  return `${JSON.stringify(trade)}\n`;
}

/** What the trades alone decide of an alert. */
export function contentOf(alert: Alert) {
  const { createdAt, detectedAt, publishedAt, resolution, log, isHistory, ...content } = alert;
  return content;
}

export type AlertContent = ReturnType<typeof contentOf>;

/** The alerts of the first trades, when nothing disturbs their detection. */
export async function undisturbedAlerts(folder: string, trades: number): Promise<readonly AlertContent[]> {
  const file = `${folder}/undisturbed.jsonl`;
  await writeFile(file, HEADER + Array.from({ length: trades }, (_, n) => lineOf(n)).join(''));
  await using database = await openDatabase(`sqlite:${folder}/undisturbed.db`);
  await runTape({ database, file, rules: DEFAULT_RULES });
  return (await database.alerts.after(0, 1_000_000)).map(contentOf);
}

/** A tape to which a trade is appended every so often. */
export async function startTape(file: string, everyMs: number) {
  let trades = 0;
  await writeFile(file, HEADER);
  const stop = repeatedly(everyMs, async () => {
    await appendFile(file, lineOf(trades));
    trades += 1;
  });
  return {
    stop,
    get trades(): number {
      return trades;
    },
  };
}
