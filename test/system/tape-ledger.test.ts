import { expect, test } from 'vitest';
import type { Database } from '../../src/core/database.ts';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { runTape } from '../../src/wiring/tape-record.ts';
import { DATABASES } from '../support/databases.ts';
import { startService } from '../support/service-process.ts';
import { pricesIn } from '../support/stored-prices.ts';
import { wholeLog } from '../support/whole-log.ts';

const TAPE = 'data/tapes/midterms-2022.jsonl.gz';

/** Without the turns at the lease, which a process takes more of than a backtest, and the hashes in which these stand. */
async function keptIn(database: Database) {
  const { markets, days } = await pricesIn(database);
  const alerts = await database.alerts.after(0, 100_000);
  return {
    alerts: alerts.map(({ log: { seq }, ...alert }) => ({ ...alert, seq })),
    log: (await wholeLog(database)).map(({ epoch, hash, previous, ...entry }) => entry),
    prices: [...markets, ...days].map((document) => JSON.stringify(document)),
  };
}

/** What is there once a service has replayed the tape to its end. */
async function playedOn({ open }: (typeof DATABASES)[number]) {
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
