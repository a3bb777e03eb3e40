import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { createContainer } from '../../../src/container.ts';
import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import type { Journal } from '../../../src/core/ingest/journal.ts';
import { createFakeClock } from '../clock.ts';
import { configOf } from '../config.ts';
import { createRecordingLogger } from '../recording-logger.ts';
import { connectStream, type StreamTestClient } from '../stream-client.ts';
import { startChainNode } from './chain-node.ts';
import type { Fault } from './faults.ts';
import type { MarketTape } from './market-tape.ts';
import { startMarket } from './start-market.ts';

const STEP_MS = 250;
/** Turns of the loop between two steps of the clock: both ends of a request are in this process, and ten are enough. */
const TURNS = 30;
/** A client that is not heard of for a minute is ended. */
const PING_EVERY_MS = 20_000;

interface WatchOptions {
  /** More settings of the service, by the address of the market. */
  readonly settings?: (url: string) => Record<string, string>;
  /** Whether a node of the chain shows the trades too. */
  readonly hasNode?: boolean;
}

/** The whole service in this process and a simulator of the market, on one clock that a test moves. */
export async function watchMarket(
  tape: MarketTape,
  startAt: EpochMs,
  { settings = () => ({}), hasNode = false }: WatchOptions = {},
) {
  const clock = createFakeClock(startAt);
  const market = await startMarket({ tape, clock });
  const node = hasNode ? await startChainNode({ view: market.view, clock }) : null;
  const config = configOf({
    ...{ DATABASE_URL: 'sqlite::memory:', PORT: '0' },
    ...{
      PUBLIC_REQUESTS_PER_MINUTE: '0',
      FREE_DELAY_SECONDS: '0',
      ...market.settings,
      ...(node === null ? {} : { POLYGON_RPC_URL: node.wsUrl }),
      ...settings(market.url),
    },
  });
  const container = await createContainer(config, { clock, logger: createRecordingLogger() });
  const journalled = countAppends(container.database.journal);
  const address = String((await container.start()).address);
  const clients: StreamTestClient[] = [];
  onTestFinished(async () => {
    let isClosed = false;
    const closing = container.close().finally(() => {
      isClosed = true;
    });
    while (!isClosed) await pass(STEP_MS);
    await closing;
    await node?.close();
    await market.close();
  });

  async function pass(ms: number): Promise<void> {
    for (const until = clock.now() + ms; clock.now() < until; ) {
      await clock.advance(Math.min(STEP_MS, until - clock.now()));
      market.streams.look();
      node?.look();
      if (clock.now() % PING_EVERY_MS < STEP_MS)
        for (const { socket } of clients) if (socket.readyState === socket.OPEN) socket.send('ping');
      await settle();
    }
  }

  /** The journal packs its rows on another thread: on a busy machine the clock must not run ahead of it. */
  async function settle(): Promise<void> {
    do {
      if (journalled.underWay > 0) await delay(1);
      for (let turn = 0; turn < TURNS; turn++) await setImmediate();
    } while (journalled.underWay > 0);
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever was answered
  async function json(path: string): Promise<any> {
    return (await fetch(`${address}${path}`)).json();
  }

  return {
    market,
    now: clock.now,
    pass,
    strike(...faults: readonly Fault[]) {
      market.faults.script = { seed: 1, faults };
    },
    async named() {
      const text = await (await fetch(`${address}/metrics`)).text();
      const metric = Number(/^tipoff_feed_blind (\d)/m.exec(text)?.[1]);
      const page = await (await fetch(`${address}/status`)).text();
      return { readyz: await json('/readyz'), metric, page, coverage: await json('/api/v1/coverage') };
    },
    async connect() {
      const issued = await container.keys.issue({ tier: 'pro', name: 'test' });
      if (!issued.ok) throw new Error(issued.reason);
      const client = connectStream(address, `api_key=${issued.secret}`);
      await client.received(1);
      clients.push(client);
      return client;
    },
    async dropped(reason: string): Promise<number> {
      const text = await (await fetch(`${address}/metrics`)).text();
      return Number(
        new RegExp(`^tipoff_rows_dropped_total\\{reason="${reason}"\\} (\\d+)`, 'm').exec(text)?.[1],
      );
    },
    alerts: () => container.database.alerts.after(0, 1_000),
    /** Transactions of the trades that were passed on, in order, each as often as it was. */
    async judged(): Promise<readonly string[]> {
      const batches = await container.database.journal.from(1, 100_000);
      const rows = batches.flatMap(({ lines }) => lines.map((line) => JSON.parse(line)));
      return rows.flatMap(({ transactionHash }) => transactionHash ?? []);
    },
  };
}

function countAppends(journal: Journal): { readonly underWay: number } {
  const count = { underWay: 0 };
  const append = journal.append.bind(journal);
  Object.assign(journal, {
    append: (...batch: Parameters<typeof append>) => {
      count.underWay += 1;
      return append(...batch).finally(() => {
        count.underWay -= 1;
      });
    },
  });
  return count;
}
