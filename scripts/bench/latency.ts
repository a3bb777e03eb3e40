import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { upstreamTrade } from '../../test/support/polymarket/upstream-rows.ts';
import { openSqliteFile } from './databases.ts';
import { atMost, figure, ms, percentile, seconds, whole } from './figure.ts';
import { startApi } from './service.ts';

const TRADES_PER_SECOND = 1_000;
const SECONDS = 20;
/** Every so many trades one is by a wallet never seen before, of a size that makes an alert. */
const ALERT_EVERY = 40;
const STEP_MS = 10;
const WARM_UP_ALERTS = 25;
const MOST_MS = { p50: 5, p99: 25 };
const CONDITION = `0x${'b'.repeat(64)}`;
const MARKET = {
  conditionId: CONDITION,
  question: 'Will the measure pass?',
  slug: 'will-the-measure-pass',
  outcomes: ['Yes', 'No'],
  clobTokenIds: ['1001', '1002'],
  outcomePrices: ['0.3', '0.7'],
  category: 'Politics',
  closed: false,
};

/** From the moment a trade is written to the tape, with the row that closes its order, until a client of the stream has its alert. */
export async function benchLatency(): Promise<readonly string[]> {
  await using database = await openSqliteFile();
  const tape = join(database.url.replace(/^sqlite:/, ''), '..', 'tape.jsonl');
  await writeFile(tape, lines([{ tape: { name: 'bench', history: 'partial' } }, MARKET]));
  await using service = await startApi(database.url, { ROLES: 'all', MARKET_SOURCE: `tail:${tape}` });
  const writtenAt = new Map<string, number>();
  const latencies: number[] = [];
  const url = `${service.address.replace('http', 'ws')}/ws/alerts?api_key=${service.secret}`;
  const socket = new WebSocket(url);
  const greeted = Promise.withResolvers<void>();
  socket.onmessage = ({ data }) => {
    const now = performance.now();
    const frame = JSON.parse(String(data)) as { type: string; data?: { wallet_address: string } };
    if (frame.type === 'connected') greeted.resolve();
    const at = writtenAt.get(frame.data?.wallet_address ?? '');
    if (at !== undefined) latencies.push(now - at);
  };
  await greeted.promise;
  const perSecond = await write(tape, writtenAt);
  await sleep(1_000);
  socket.close();
  const measured = latencies.slice(WARM_UP_ALERTS);
  const [p50, p99] = [percentile(measured, 0.5), percentile(measured, 0.99)];
  return [
    figure(
      `trades written, every ${ALERT_EVERY}th an alert`,
      `${whole(perSecond)} per second for ${SECONDS} s; ${latencies.length} alerts for ${writtenAt.size} such trades`,
    ),
    figure('trade to frame, p50', ms(p50), atMost(p50, MOST_MS.p50, ' ms')),
    figure('trade to frame, p99', ms(p99), atMost(p99, MOST_MS.p99, ' ms')),
    figure('trade to frame, the slowest', ms(Math.max(...measured))),
  ];
}

/** Returns how many trades were written per second. */
async function write(tape: string, writtenAt: Map<string, number>): Promise<number> {
  const startedAt = performance.now();
  let trades = 0;
  while (trades < TRADES_PER_SECOND * SECONDS) {
    const due = Math.floor(seconds(startedAt) * TRADES_PER_SECOND);
    const rows: object[] = [];
    const fresh: string[] = [];
    for (; trades < due; trades++) {
      const isAlert = trades % ALERT_EVERY === 0;
      const proxyWallet = walletOf(isAlert ? trades + 1_000_000 : (trades % 500) + 1);
      if (isAlert) {
        fresh.push(proxyWallet);
        rows.push({ proxyWallet, createdAt: new Date(Date.now() - 3_600_000).toISOString(), traded: 0 });
      }
      rows.push(tradeOf(proxyWallet, trades, isAlert ? 40_000 : 20));
    }
    rows.push({ close: Math.floor(Date.now() / 1_000) });
    await appendFile(tape, lines(rows));
    // Complete in the file: from here on the service can know of them.
    const now = performance.now();
    for (const wallet of fresh) writtenAt.set(wallet, now);
    await sleep(STEP_MS);
  }
  return trades / seconds(startedAt);
}

function tradeOf(proxyWallet: string, index: number, size: number): object {
  const transactionHash = `0x${index.toString(16).padStart(64, '0')}`;
  const timestamp = Math.floor(Date.now() / 1_000);
  return upstreamTrade({ proxyWallet, conditionId: CONDITION, size, price: 0.3, timestamp, transactionHash });
}

function walletOf(number: number): string {
  return `0x${number.toString(16).padStart(40, '0')}`;
}

function lines(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
