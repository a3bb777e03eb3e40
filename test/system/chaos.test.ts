import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, inject, type TestContext, test } from 'vitest';
import { type AlertContent, undisturbedAlerts } from '../../scripts/chaos/chaos-tape.ts';
import { runFault } from '../../scripts/chaos/run-fault.ts';
import { killService } from '../../scripts/chaos/sqlite-faults.ts';
import { Stage } from '../../scripts/chaos/stage.ts';
import { startMongod } from '../support/mongod/own-mongod.ts';

/** More than the tape has in any of the runs, also on a busy machine. */
const TRADES = 1_000;
const ROLES = 'ingest,api,deliver';
const HANGS_MS = 3_000;
/** They wait for processes most of the time. */
const AT_ONCE = { concurrent: true, timeout: 240_000 };

let undisturbed: Promise<readonly AlertContent[]> | null = null;

/** A service on this database, on a tape of its own; `folder` makes the database's address. */
async function openStage({ onTestFinished }: TestContext, urlOf: (folder: string) => string): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'tipoff-chaos-'));
  await mkdir(join(folder, 'data'));
  onTestFinished(() => rm(folder, { recursive: true }));
  undisturbed ??= undisturbedAlerts(folder, TRADES);
  const stage = await Stage.open({
    ...{ folder, url: urlOf(folder), expected: await undisturbed, probed: ['service'] },
    members: { service: { ROLES } },
    tradeEveryMs: 100,
  });
  onTestFinished(() => stage.close());
  return stage;
}

/** The faults of `npm run chaos` that need one server, and less time. */
describe('every client gets every alert once, in order, as in an undisturbed run', AT_ONCE, () => {
  test('when the service on SQLite is killed twice', async (context) => {
    const stage = await openStage(context, (folder) => `sqlite:${join(folder, 'data', 'tipoff.db')}`);

    const { problems } = await runFault(
      { name: 'killed', mayFail: true, strike: () => killService(stage, 2) },
      { stage },
    );

    context.expect(problems).toEqual([]);
  });

  test.skipIf(inject('mongoUri') === null)(
    'when MongoDB hangs, and is killed afterwards',
    async (context) => {
      const mongod = await startMongod();
      context.onTestFinished(mongod.stop);
      const stage = await openStage(context, () => mongod.uri);

      const { problems, measured } = await runFault(
        {
          name: 'hangs and is killed',
          async strike() {
            mongod.hang();
            await delay(HANGS_MS);
            mongod.resume();
            await stage.settled();
            await mongod.kill();
            await mongod.restart();
          },
        },
        { stage },
      );

      context.expect(problems).toEqual([]);
      // The clients saw the fault: it was not over before they noticed it.
      context.expect(measured.worstAlertMs).toBeGreaterThan(HANGS_MS / 2);
    },
  );
});
