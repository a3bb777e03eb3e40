import { describe, expect, test } from 'vitest';
import { diskSpaceOf } from '../../src/infra/database/disk-space.ts';
import type { AppContext } from '../../src/wiring/app-context.ts';
import { readinessOf } from '../../src/wiring/readiness.ts';
import { createFakeClock } from '../support/clock.ts';
import { START } from '../support/rows.ts';

function fixtureOf() {
  const database = { kind: 'sqlite', ping: async () => {} } as unknown as AppContext['database'];
  return { database, clock: createFakeClock(START) };
}

const NO_PARTS = {
  ...{ ingest: null, deliver: null, bots: null, doctor: null },
  feedHealth: { isLive: false, view: () => null },
};

describe('readiness is answered within 1.5 s', () => {
  const never = () => new Promise<never>(() => {});

  test('while the database answers a ping and nothing else, and the disk does not answer', async () => {
    const fixture = fixtureOf();
    const answer = readinessOf(fixture, { ...NO_PARTS, heartbeats: never, diskSpace: never });
    await fixture.clock.advance(1_500);

    expect(await answer).toEqual({
      ready: true,
      checks: {
        database: { kind: 'sqlite', ready: true },
        source: { ready: true, state: 'unknown' },
        disk: { ready: true, free_percent: null },
      },
    });
    expect(fixture.clock.sleepers).toBe(0);
  });

  test('while nothing answers: what is asked is asked at the same time', async () => {
    const { clock } = fixtureOf();
    const database = { kind: 'mongodb', ping: never } as unknown as AppContext['database'];
    const answer = readinessOf({ database, clock }, { ...NO_PARTS, heartbeats: never, diskSpace: never });
    await clock.advance(1_500);

    expect(await answer).toMatchObject({ ready: false, checks: { database: { ready: false } } });
  });
});

describe('a disk that is full', () => {
  const spaceOf = (freeBytes: number, isWritten = true) => ({
    ...NO_PARTS,
    diskSpace: async () => ({ freeBytes, freePercent: 0, isWritten }),
  });

  test('is not ready where the service writes to it, from 64 MB on', async () => {
    expect(await readinessOf(fixtureOf(), spaceOf(64_000_000 - 1))).toMatchObject({
      ready: false,
      checks: {
        disk: { ready: false, free_percent: 0, details: { reason: expect.stringContaining('64 MB') } },
      },
    });
    expect(await readinessOf(fixtureOf(), spaceOf(64_000_000))).toMatchObject({
      ready: true,
      checks: { disk: { ready: true, free_percent: 0 } },
    });
  });

  test('decides nothing where the service writes nothing', async () => {
    expect(await readinessOf(fixtureOf(), spaceOf(0, false))).toMatchObject({
      ready: true,
      checks: { disk: { ready: true, free_percent: 0 } },
    });
  });
});

test.each([
  ['sqlite:./package.db', true],
  ['sqlite::memory:', false],
  ['mongodb://127.0.0.1/tipoff', false],
])('of %s it is known whether the service writes to the disk', async (url, isWritten) => {
  const space = await diskSpaceOf(url);

  expect(space).toMatchObject({ isWritten });
  expect(space?.freeBytes).toBeGreaterThan(0);
});
