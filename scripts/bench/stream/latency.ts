import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { upstreamTrade } from '../../../test/support/polymarket/upstream-rows.ts';
import { openSqliteFile } from '../databases.ts';
import { atMost, type Figure, figure, inMs, ms, percentile, whole } from '../figure.ts';
import { startApi } from '../service.ts';

const TRADES_PER_SECOND = 1_000;
const SECONDS = 20;
/** Every so many trades one is by a wallet never seen before, of a size that makes an alert. */
const ALERT_EVERY = 40;
const STEP_MS = 10;
const WARM_UP_ALERTS = 25;
const AIM_MS = { p50: 5, p99: 25 };

const MARKET = {
  conditionId: `0x${'b'.repeat(64)}`,
  question: 'Will the measure pass?',
  slug: 'will-the-measure-pass',
  outcomes: ['Yes', 'No'],
  clobTokenIds: ['1001', '1002'],
  outcomePrices: ['0.3', '0.7'],
  category: 'Politics',
  closed: false,
};

/** From the moment a trade is written to the tape, with the row that closes its order, until a client of the stream has its alert. */
export async function benchLatency(): Promise<readonly Figure[]> {
  await using database = await openSqliteFile();
  const tape = join(database.url.replace(/^sqlite:/, ''), '..', 'tape.jsonl');
  await writeFile(tape, lines([{ tape: { name: 'bench', history: 'partial' } }, MARKET]));
  await using service = await startApi(database.url, { ROLES: 'all', MARKET_SOURCE: `tail:${tape}` });
  const writtenAt = new Map<string, number>();
  const latencies: number[] = [];
  const socket = new WebSocket(
    `${service.address.replace('http', 'ws')}/ws/alerts?api_key=${service.secret}`,
  );
  try {
    const { promise: greeted, resolve: greet } = Promise.withResolvers<void>();
    socket.onmessage = ({ data }) => {
      const now = performance.now();
      const frame = JSON.parse(String(data)) as { type: string; data?: { wallet_address: string } };
      if (frame.type === 'connected') greet();
      const at = writtenAt.get(frame.data?.wallet_address ?? '');
      if (at !== undefined) latencies.push(now - at);
    };
    await greeted;
    const trades = await write(tape, writtenAt);
    await sleep(1_000);
    return figuresOf(latencies.slice(WARM_UP_ALERTS), trades, writtenAt.size - WARM_UP_ALERTS);
  } finally {
    socket.close();
  }
}

async function write(tape: string, writtenAt: Map<string, number>): Promise<number> {
  const startedAt = performance.now();
  let trades = 0;
  while (trades < TRADES_PER_SECOND * SECONDS) {
    const due = Math.floor(((performance.now() - startedAt) / 1_000) * TRADES_PER_SECOND);
    const rows: object[] = [];
    const wallets: string[] = [];
    for (; trades < due; trades++) {
      const isAlert = trades % ALERT_EVERY === 0;
      const wallet = `0x${(isAlert ? trades + 1_000_000 : (trades % 500) + 1).toString(16).padStart(40, '0')}`;
      if (isAlert) {
        rows.push({
          proxyWallet: wallet,
          createdAt: new Date(Date.now() - 3_600_000).toISOString(),
          traded: 0,
        });
        wallets.push(wallet);
      }
      rows.push(tradeOf(wallet, trades, isAlert ? 40_000 : 20));
    }
    rows.push({ close: Math.floor(Date.now() / 1_000) });
    await appendFile(tape, lines(rows));
    // Complete in the file: from here on the service can know of them.
    const now = performance.now();
    for (const wallet of wallets) writtenAt.set(wallet, now);
    await sleep(STEP_MS);
  }
  return (trades / (performance.now() - startedAt)) * 1_000;
}

function tradeOf(proxyWallet: string, index: number, size: number): object {
  const transactionHash = `0x${index.toString(16).padStart(64, '0')}`;
  const timestamp = Math.floor(Date.now() / 1_000);
  const { conditionId } = MARKET;
  return upstreamTrade({ proxyWallet, conditionId, size, price: 0.3, timestamp, transactionHash });
}

function lines(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

function figuresOf(latencies: readonly number[], perSecond: number, alerts: number): readonly Figure[] {
  const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
  return [
    figure(
      `trades written, every ${ALERT_EVERY}th an alert`,
      `${whole(perSecond)} per second for ${SECONDS} s; ${whole(latencies.length)} alerts for ${whole(alerts)} such trades`,
    ),
    figure('trade to frame, p50', ms(p50), atMost(p50, AIM_MS.p50, inMs)),
    figure('trade to frame, p99', ms(p99), atMost(p99, AIM_MS.p99, inMs)),
    figure('trade to frame, the slowest', ms(Math.max(...latencies))),
  ];
}
