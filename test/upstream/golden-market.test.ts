import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createContainer } from '../../src/container.ts';
import { createFakeClock } from '../support/clock.ts';
import { configOf } from '../support/config.ts';
import { createRecordingLogger } from '../support/recording-logger.ts';
import { golden } from './golden.ts';
import { startGoldenMarket } from './golden-market.ts';

const STEP_MS = 250;
const TURNS = 60;

const hashOf = (row: { transaction_hash: string }) => row.transaction_hash;

/** The whole service on the market that has the captured answers only, some seconds after its trades. */
async function startService() {
  const [{ timestamp }] = golden('data-v2-trades').data;
  const clock = createFakeClock((timestamp + 8) * 1_000);
  const market = await startGoldenMarket(clock);
  const settings = { DATABASE_URL: 'sqlite::memory:', ROLES: 'ingest', ...market.settings };
  const config = configOf(settings);
  const container = await createContainer(config, { clock, logger: createRecordingLogger() });
  await container.start();

  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      await clock.advance(STEP_MS);
      for (let turn = 0; turn < TURNS; turn++) await setImmediate();
    }
  }
  onTestFinished(async () => {
    let isClosed = false;
    const closing = container.close().finally(() => {
      isClosed = true;
    });
    while (!isClosed) await pass(STEP_MS);
    await closing;
  });
  return { container, pass };
}

test('of the captured answers alone the service makes an alert, described, and resolves it', async () => {
  const { container, pass } = await startService();
  const alerts = () => container.database.alerts.after(0, 10);
  for (let tries = 0; tries < 60 && (await alerts()).length === 0; tries++) await pass(1_000);
  for (let tries = 0; tries < 60 && (await alerts())[0]?.resolution === null; tries++) await pass(10_000);

  const [row] = golden('data-v2-trades').data;
  const found = await alerts();
  expect(found).toMatchObject([
    {
      ...{ type: 'fresh', wallet: row.proxy_wallet, marketId: row.condition_id, eventTitle: row.title },
      ...{ outcome: 'Yes', category: 'politics', tradedAt: row.timestamp * 1_000 },
      resolution: { payout: 1, won: true },
    },
  ]);
  const handedOver = (await container.database.journal.from(1, 1_000)).flatMap(({ lines }) => lines);
  const hashes = handedOver.flatMap((line) => JSON.parse(line).transactionHash ?? []);
  expect(hashes.toSorted()).toEqual(golden('data-v2-trades').data.map(hashOf).toSorted());
});
