import { expect, test } from 'vitest';
import type { JobRun } from '../../../src/core/operations/job-run-store.ts';
import { onEachDatabase } from '../../infra/database/each-database.ts';
import { START } from '../../support/rows.ts';

const beginning = (given: Partial<JobRun> = {}) => ({
  job: 'daily-digest',
  period: '2026-11-20',
  startedAt: START,
  ...given,
});
const yes = () => true;
const no = () => false;
const done = { at: START + 5, outcome: 'done', isFailed: false };
const failed = { at: START + 5, outcome: 'away', isFailed: true };

onEachDatabase('job runs', (fixture) => {
  const begun = async (given: Partial<JobRun> = {}): Promise<JobRun> => {
    const run = await fixture.database.jobRuns.begin(beginning(given), yes);
    if (run === null) throw new Error('not begun');
    return run;
  };

  test('one that has not ended is begun again when that is wanted, the old run changes nothing, and one that is done is not begun again', async () => {
    const { jobRuns } = fixture.database;
    const first = await begun();
    const again = beginning({ startedAt: START + 60 });

    expect(await jobRuns.begin(again, no)).toBeNull();
    const second = await jobRuns.begin(again, (previous) => previous.endedAt === null);
    await jobRuns.end(first, failed);

    expect(await jobRuns.latest()).toStrictEqual([
      { id: 'daily-digest 2026-11-20', ...again, endedAt: null, outcome: null, isFailed: false },
    ]);
    expect(second).toStrictEqual((await jobRuns.latest())[0]);
    await jobRuns.end(second ?? first, done);
    expect(await jobRuns.begin(again, yes)).toBeNull();
  });

  test('of several processes that begin concurrently one succeeds: the first time, and after a death', async () => {
    const stores = [fixture.database.jobRuns, (await fixture.another()).jobRuns];
    const race = async (mayBegin: () => boolean, startedAt: number) => {
      const begins = Array.from({ length: 8 }, (_, n) =>
        stores[n % 2]?.begin(beginning({ startedAt: startedAt + n }), mayBegin),
      );
      return (await Promise.all(begins)).filter((run) => run !== null);
    };

    expect(await race(no, START)).toHaveLength(1);
    expect(
      await race((previous?: JobRun) => (previous?.startedAt ?? 0) < START + 10, START + 10),
    ).toHaveLength(1);
  });

  test('the newest run of each job is listed by name, and never removed with the old ones', async () => {
    const { jobRuns } = fixture.database;
    for (const at of [0, 1, 2, 3]) await begun({ job: 'a', period: `${at}`, startedAt: START + at });
    await begun({ job: 'a-b', period: '1', startedAt: START });
    await begun({ job: 'b', period: '1', startedAt: START });
    await begun({ job: 'b', period: '0', startedAt: START - 1 });

    expect(await jobRuns.prune(START + 3)).toBe(4);
    expect(await jobRuns.prune(START + 99)).toBe(0);

    expect((await jobRuns.latest()).map(({ job, period }) => `${job} ${period}`)).toEqual([
      'a 3',
      'a-b 1',
      'b 1',
    ]);
  });
});
