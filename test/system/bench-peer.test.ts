import { expect, test, vi } from 'vitest';
import { openSqliteFile } from '../../scripts/bench/databases.ts';
import { startRivals } from '../../scripts/bench/rivals.ts';
import { sampleMoment } from '../../scripts/bench/sample-alerts.ts';
import { pythonPackages } from '../../scripts/generators/tools.ts';

const ALERTS = 300;
const PACKAGES = ['fastapi==0.165.0', 'uvicorn==0.54.0'];
const INSTALL_MS = 120_000;

test('FastAPI, which benchmarks compare the service with, answers the same JSON', {
  timeout: 2 * INSTALL_MS,
}, async ({ skip, onTestFinished }) => {
  const folder = await pythonPackages(PACKAGES).catch((error: Error) => error);
  if (folder instanceof Error) return skip(`Python or PyPI is not available: ${folder.message.slice(-200)}`);
  vi.stubEnv('PYTHONPATH', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  await using database = await openSqliteFile();
  await database.seed({ after: 0, upto: ALERTS, shiftMs: Date.now() - sampleMoment(ALERTS) });
  await using rivals = await startRivals(database);
  expect(rivals.peerNote).toEqual([]);
  for (const path of ['alerts/latest', 'alerts?category=crypto&search=will', 'hot-markets?period=30d'])
    expect((await rivals.agreed(`/api/v1/${path}`)).text).toMatch(/"id":|"market_id":/);
});
