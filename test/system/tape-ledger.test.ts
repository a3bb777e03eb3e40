import { expect, test } from 'vitest';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { entryLine } from '../../src/core/alerts/log/seal.ts';
import type { Database } from '../../src/core/database.ts';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { runTape } from '../../src/wiring/tape-record.ts';
import { DATABASES } from '../support/databases.ts';
import { startService } from '../support/service-process.ts';
import { pricesIn } from '../support/stored-prices.ts';

const TAPE = 'data/tapes/midterms-2022.jsonl.gz';

interface Kept {
  readonly alerts: readonly Alert[];
  readonly log: readonly string[];
  readonly prices: readonly string[];
}

async function keptIn(database: Database): Promise<Kept> {
  const { markets, days } = await pricesIn(database);
  return {
    alerts: await database.alerts.after(0, 100_000),
    log: (await database.log.after(0, 100_000)).map(entryLine),
    prices: [...markets, ...days].map((document) => JSON.stringify(document)),
  };
}

/** What is there once a service has replayed the tape to its end. */
async function playedOn({ open }: (typeof DATABASES)[number]): Promise<Kept> {
  const { database, url, drop } = await open();
  const service = startService({ DATABASE_URL: url, MARKET_SOURCE: `replay:${TAPE}` });
  try {
    await service.logged('the source has ended');
    await service.end('SIGTERM');
    return await keptIn(database);
  } finally {
    await service.end('SIGKILL');
    await drop();
  }
}

test('the ledger, the log and the prices of the tape are equal on both databases, and the log in a backtest', async () => {
  const runs = await Promise.all(DATABASES.filter(({ available }) => available).map(playedOn));
  await using database = await openDatabase('sqlite::memory:');
  await runTape({ file: TAPE, rules: DEFAULT_RULES, database, onProgress() {} });
  const { log } = await keptIn(database);

  for (const kept of runs) {
    expect(kept.alerts).toEqual(runs[0]?.alerts);
    expect(kept.prices).toEqual(runs[0]?.prices);
    expect(kept.log).toEqual(log);
    expect(kept.alerts.every(({ id, resolution }, index) => id === index + 1 && resolution !== null)).toBe(
      true,
    );
  }
  expect(runs[0]?.alerts.length).toBeGreaterThan(100);
  expect(runs[0]?.prices.length).toBeGreaterThan(100);
}, 240_000);
