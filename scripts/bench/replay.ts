import { createContainer } from '../../src/container.ts';
import type { Logger } from '../../src/core/base/logger.ts';
import { configOf } from '../../test/support/config.ts';
import { readTape } from '../../test/support/read-tape.ts';
import { type DatabaseKind, onEachDatabase } from './databases.ts';
import { figure, median, progress, seconds, whole } from './figure.ts';

const TAPE = 'data/tapes/midterms-2022.jsonl.gz';
const SETTINGS = { PORT: '0', MARKET_SOURCE: `replay:${TAPE}`, REPLAY_SPEED: '0' };

const RUNS = 3;

export async function benchReplay(): Promise<readonly string[]> {
  const trades = (await readTape(TAPE)).rows.filter(({ kind }) => kind === 'trade').length;
  return onEachDatabase(async (kind) => {
    const times: number[] = [];
    for (let run = 1; run <= RUNS; run++) {
      times.push(await replay(kind));
      progress(`replay on ${kind.name}, run ${run} of ${RUNS}`);
    }
    const time = median(times);
    return [
      figure(
        `trades per second end to end on ${kind.name} (median of ${RUNS} runs)`,
        `${whole(trades / time)} (${time.toFixed(2)} s for ${whole(trades)} trades)`,
      ),
    ];
  });
}

/** Returns how many seconds it took. */
async function replay(kind: DatabaseKind): Promise<number> {
  await using database = await kind.open();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const container = await createContainer(configOf({ ...SETTINGS, DATABASE_URL: database.url }), {
    logger: endListener(end),
  });
  try {
    const startedAt = performance.now();
    await container.start();
    await Promise.race([ended, container.ended]);
    return seconds(startedAt);
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
