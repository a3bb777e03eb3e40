import { expect, test } from 'vitest';
import type { Pause } from '../../../src/core/operations/pause-flags.ts';
import { START } from '../../support/rows.ts';
import { onEachDatabase } from './each-database.ts';

const FEED: Pause = { name: 'feed', at: START, by: 'telegram:1' };
const DIGEST: Pause = { name: 'job:daily-digest', at: START + 5, by: 'discord:2' };

onEachDatabase('switch store', (fixture) => {
  test('shows every process what is paused, since when and by which operator', async () => {
    const { pauses: switches } = fixture.database;
    expect(await switches.list()).toEqual([]);

    expect([await switches.pause(DIGEST), await switches.pause(FEED)]).toEqual([true, true]);

    expect(await (await fixture.another()).pauses.list()).toStrictEqual([FEED, DIGEST]);
  });

  test('what is paused already stays as it was', async () => {
    const { pauses: switches } = fixture.database;
    await switches.pause(FEED);

    expect(await switches.pause({ ...FEED, at: START + 9, by: 'telegram:3' })).toBe(false);

    expect(await switches.list()).toEqual([FEED]);
  });

  test('what is resumed is paused no more, and the rest still is', async () => {
    const { pauses: switches } = fixture.database;
    await switches.pause(FEED);
    await switches.pause(DIGEST);

    expect([await switches.resume('feed'), await switches.resume('feed')]).toEqual([true, false]);

    expect(await switches.list()).toEqual([DIGEST]);
  });
});
