import { createContainer } from '../../src/container.ts';
import type { Logger } from '../../src/core/base/logger.ts';
import { configOf } from '../../test/support/config.ts';
import { readTape } from '../../test/support/read-tape.ts';
import { type DatabaseKind, onEachDatabase } from './databases.ts';
import { type Figure, figure, median, progress, seconds, whole } from './figure.ts';

const TAPE = 'data/tapes/midterms-2022.jsonl.gz';
const SETTINGS = { PORT: '0', MARKET_SOURCE: `replay:${TAPE}`, REPLAY_SPEED: '0' };

const RUNS = 3;

interface Run {
  readonly tradesPerSecond: number;
  readonly alerts: number;
  readonly seconds: number;
}

export async function benchReplay(): Promise<readonly Figure[]> {
  const trades = (await readTape(TAPE)).rows.filter(({ kind }) => kind === 'trade').length;
  return onEachDatabase(async (kind) => {
    const runs: Run[] = [];
    for (let run = 1; run <= RUNS; run++) {
      runs.push(await replay(kind, trades));
      progress(`replay on ${kind.name}, run ${run}: ${whole(runs.at(-1)?.tradesPerSecond ?? 0)} trades/s`);
    }
    const speed = median(runs.map(({ tradesPerSecond }) => tradesPerSecond));
    const time = median(runs.map((run) => run.seconds));
    const what = `trades per second end to end on ${kind.name} (median of ${RUNS} runs)`;
    return [
      figure(
        what,
        `${whole(speed)} (${time.toFixed(2)} s for ${whole(trades)} trades, ${runs[0]?.alerts} alerts)`,
      ),
    ];
  });
}

async function replay(kind: DatabaseKind, trades: number): Promise<Run> {
  await using database = await kind.open();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const container = await createContainer(configOf({ ...SETTINGS, DATABASE_URL: database.url }), {
    logger: endListener(end),
  });
  try {
    const startedAt = performance.now();
    await container.start();
    await Promise.race([ended, container.ended]);
    const taken = seconds(startedAt);
    const alerts = (await container.database.alerts.last())?.id ?? 0;
    return { tradesPerSecond: trades / taken, alerts, seconds: taken };
  } finally {
    await container.close();
  }
}

function endListener(onEnd: () => void): Logger {
  const told = (_fields: object, message: string) => {
    if (message === 'the source has ended') onEnd();
  };
  const failed = (fields: object, message: string) => progress(`${message} ${JSON.stringify(fields)}`);
  return { debug: () => {}, info: told, warn: failed, error: failed };
}
