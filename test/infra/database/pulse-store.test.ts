import { expect, test } from 'vitest';
import type { Pulse } from '../../../src/core/ports/pulse-store.ts';
import { START } from '../../support/rows.ts';
import { onEachDatabase } from './each-database.ts';

const pulse = (
  owner: string,
  at: number,
  checks: Pulse['checks'] = { database: { ready: true } },
): Pulse => ({
  owner,
  roles: ['api', 'jobs'],
  at,
  checks,
});

onEachDatabase('pulse store', (fixture) => {
  test('of each process the last sign of life is kept, the newest first', async () => {
    const { pulses } = fixture.database;
    const odd = { 'tail:a.b/$c.jsonl': { ready: false, progress: null, list: [1, { $x: 2 }] } };

    await pulses.beat(pulse('host/1', START));
    await pulses.beat(pulse('host/2', START + 1));
    await pulses.beat(pulse('host/1', START + 2, odd));

    const seen = await (await fixture.another()).pulses.list();
    expect(seen).toEqual([pulse('host/1', START + 2, odd), pulse('host/2', START + 1)]);
  });

  test('the one of a process that ends is removed', async () => {
    const { pulses } = fixture.database;
    await pulses.beat(pulse('host/1', START));
    await pulses.beat(pulse('host/2', START));

    await pulses.remove('host/1');
    await pulses.remove('unknown');

    expect((await pulses.list()).map(({ owner }) => owner)).toEqual(['host/2']);
  });

  test('those older than a moment are removed', async () => {
    const { pulses } = fixture.database;
    await pulses.beat(pulse('old', START));
    await pulses.beat(pulse('new', START + 1));

    await pulses.prune(START + 1);

    expect((await pulses.list()).map(({ owner }) => owner)).toEqual(['new']);
  });
});
