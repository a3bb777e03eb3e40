import { expect, test } from 'vitest';
import type { JobRun } from '../../../src/core/operations/job-run-store.ts';
import { START } from '../../support/rows.ts';
import { onEachDatabase } from './each-database.ts';

const beginning = (given: Partial<JobRun> = {}) => ({
  job: 'daily-digest',
  period: '2026-11-20',
  owner: 'one',
  startedAt: START,
  ...given,
});
const never = () => {
  throw new Error('must not be asked');
};
const yes = () => true;
const no = () => false;
const done = { at: START + 5, outcome: 'done', isFailed: false };
const failed = { at: START + 5, outcome: 'away', isFailed: true };

onEachDatabase('job run store', (fixture) => {
  const begun = async (given: Partial<JobRun> = {}): Promise<JobRun> => {
    const run = await fixture.database.jobRuns.begin(beginning(given), yes);
    if (run === null) throw new Error('not begun');
    return run;
  };

  test('one that has not ended is begun again when its process is gone, and the old run changes nothing', async () => {
    const { jobRuns } = fixture.database;
    const first = await begun();
    const again = beginning({ owner: 'two', startedAt: START + 60 });

    expect(await jobRuns.begin(again, no)).toBeNull();
    const second = await jobRuns.begin(again, (previous) => previous.owner === 'one');
    await jobRuns.end(first, failed);

    expect(await jobRuns.latest()).toStrictEqual([
      { ...again, endedAt: null, outcome: null, isFailed: false },
    ]);
    expect(second).toStrictEqual((await jobRuns.latest())[0]);
  });

  test('a failed one is shown to the next process to begin it, and begun again when permitted, until it is done', async () => {
    const { jobRuns } = fixture.database;
    const run = await begun();
    await jobRuns.end(run, failed);
    const shown: JobRun[] = [];

    const refused = await jobRuns.begin(beginning(), (previous) => {
      shown.push(previous);
      return false;
    });
    const again = await jobRuns.begin(beginning({ startedAt: START + 60 }), yes);

    expect(refused).toBeNull();
    expect(shown).toStrictEqual([{ ...run, endedAt: START + 5, outcome: 'away', isFailed: true }]);
    expect(again).toStrictEqual({ ...run, startedAt: START + 60 });
    await jobRuns.end(again ?? run, done);
    expect(await jobRuns.begin(beginning({ owner: 'two', startedAt: START + 99 }), never)).toBeNull();
  });

  test('of several processes that begin concurrently one succeeds: the first time, and after a death', async () => {
    const stores = [fixture.database.jobRuns, (await fixture.another()).jobRuns];
    const race = async (mayBegin: () => boolean, startedAt: number) => {
      const begins = Array.from({ length: 8 }, (_, n) =>
        stores[n % 2]?.begin(beginning({ owner: `p${n}`, startedAt }), mayBegin),
      );
      return (await Promise.all(begins)).filter((run) => run !== null);
    };

    expect(await race(no, START)).toHaveLength(1);
    expect(await race((previous?: JobRun) => previous?.startedAt === START, START + 1)).toHaveLength(1);
  });

  test('the newest run of each job is listed by name, and never removed with the old ones', async () => {
    const { jobRuns } = fixture.database;
    for (const at of [0, 1, 2, 3]) await begun({ job: 'a', period: `${at}`, startedAt: START + at });
    await begun({ job: 'b', period: '1', startedAt: START });
    await begun({ job: 'b', period: '0', startedAt: START });

    expect(await jobRuns.prune(START + 3)).toBe(4);
    expect(await jobRuns.prune(START + 99)).toBe(0);

    expect((await jobRuns.latest()).map(({ job, period }) => `${job} ${period}`)).toEqual(['a 3', 'b 1']);
  });
});
