import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import type { MemoryUse } from '../../../src/core/detection/detector-memory.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { type MarketOptions, startMarket } from '../../../test/support/market/start-market.ts';
import { createTapeClock } from '../../../test/support/market/tape-clock.ts';
import { startService } from '../../../test/support/service-process.ts';
import type { Measured } from './measure-process.ts';
import type { Order } from './soaked-service.ts';
import { TakenTrades } from './taken-trades.ts';

const LOOK_EVERY_MS = 250;
/** Tape time after the last trade in which what waits for facts comes in. */
const AFTER_MS = 3 * MINUTE_MS;
const DRAIN_MS = 20;

interface SoakOptions extends Pick<MarketOptions, 'tape'> {
  readonly from: EpochMs;
  /** Times the tape's own pace. */
  readonly speed: number;
  readonly folder: string;
  readonly simulator: Pick<MarketOptions, 'faults' | 'profile'>;
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * The service in a process of its own on the market simulator, both at the time of a tape, over an empty SQLite database.
 * Disposal ends all of it.
 */
export type SoakStage = Awaited<ReturnType<typeof openSoakStage>>;

export async function openSoakStage({ tape, from, speed, folder, simulator, settings }: SoakOptions) {
  const clock = createTapeClock({ time: from, speed: 0 });
  const market = await startMarket({ tape, clock, ...simulator });
  market.view.wallet('');
  const file = `${folder}/soak.db`;
  const database = await openDatabase(`sqlite:${file}`);
  clock.runAt(speed);
  const own = { DATABASE_URL: `sqlite:${file}`, MARKET_SOURCE: 'polymarket', ROLES: 'ingest,api' };
  const service = startService(
    {
      ...{ ...own, PUBLIC_REQUESTS_PER_MINUTE: '0', TAPE_CLOCK: JSON.stringify(clock.reading()) },
      ...{ ...settings, ...market.settings },
    },
    { entry: 'scripts/bench/live/soaked-service.ts', hasChannel: true },
  );
  const address = String((await service.logged('listening'))['address']);
  return {
    ...{ clock, market, file, database, service, address },
    taken: new TakenTrades(database.journal, tape.count),
    /** How far the last confirmed moment was behind at each look, in milliseconds of the tape. */
    lags: [] as { readonly at: EpochMs; readonly ms: number }[],
    async [Symbol.asyncDispose]() {
      await service.end('SIGKILL');
      await database.close();
      await market.close();
    },
  };
}

/** Lets the tape run up to the moment. */
export async function playUntil(
  { clock, database, service, lags }: SoakStage,
  until: EpochMs,
): Promise<void> {
  while (clock.now() < until) {
    await delay(Math.min(LOOK_EVERY_MS, (until - clock.now()) / clock.speed));
    if (service.child.exitCode !== null)
      throw new Error(`the service ended:\n${service.output().slice(-4_000)}`);
    const position = await database.feedHealth.readPosition();
    const at = clock.now();
    if (position !== null) lags.push({ at, ms: at - position.confirmedUntil });
  }
}

/** Plays on after the last trade until none is missing, or patience has ended. Returns how long, in tape time like all else. */
export async function playUntilTaken(
  stage: SoakStage,
  { end, patienceMs, isListed }: { end: EpochMs; patienceMs: number; isListed?: (index: number) => boolean },
): Promise<number> {
  const { clock, taken } = stage;
  for (let until = end + AFTER_MS; ; until = clock.now() + MINUTE_MS) {
    await playUntil(stage, until);
    await taken.read();
    if (taken.missing(1, isListed).length === 0 || clock.now() > end + patienceMs) return clock.now() - end;
  }
}

/** What the service's process and its detector hold. The tape stands still meanwhile. */
export async function measureService({ clock, service, address }: SoakStage) {
  const { speed } = clock;
  const send = (order: Order) => void service.child.send(order, () => {});
  clock.runAt(0);
  const answer = once(service.child, 'message', { signal: AbortSignal.timeout(300_000) });
  send('measure');
  const [measured] = (await answer) as [Measured];
  clock.runAt(speed);
  send({ clock: clock.reading() });
  await delay(DRAIN_MS);
  const { checks } = (await (await fetch(`${address}/readyz`)).json()) as {
    checks: { source: { memory?: MemoryUse } };
  };
  return {
    ...measured,
    /** Null when it did not report it. */
    memory: checks.source.memory ?? null,
  };
}

/** Rows and bytes that the journal keeps. */
export function journalOf(file: string): { readonly rows: number; readonly bytes: number } {
  const db = new DatabaseSync(file, { readOnly: true });
  const kept = db.prepare('SELECT sum(next - first) AS rows, sum(length(lines)) AS bytes FROM journal').get();
  db.close();
  return { rows: Number(kept?.['rows']), bytes: Number(kept?.['bytes']) };
}
