import { expect, test } from 'vitest';
import type { Heartbeat } from '../../../src/core/operations/heartbeat.ts';
import { START } from '../../support/rows.ts';
import { onEachDatabase } from './each-database.ts';

const heartbeat = (
  owner: string,
  at: number,
  checks: Heartbeat['checks'] = { database: { ready: true } },
): Heartbeat => ({
  owner,
  roles: ['api', 'jobs'],
  at,
  checks,
});

onEachDatabase('pulse store', (fixture) => {
  test('of each process the last sign of life is kept, the newest first', async () => {
    const { heartbeats } = fixture.database;
    const odd = { 'tail:a.b/$c.jsonl': { ready: false, progress: null, list: [1, { $x: 2 }] } };

    await heartbeats.beat(heartbeat('host/1', START));
    await heartbeats.beat(heartbeat('host/2', START + 1));
    await heartbeats.beat(heartbeat('host/1', START + 2, odd));

    const seen = await (await fixture.another()).heartbeats.list();
    expect(seen).toEqual([heartbeat('host/1', START + 2, odd), heartbeat('host/2', START + 1)]);
  });

  test('the one of a process that ends is removed', async () => {
    const { heartbeats } = fixture.database;
    await heartbeats.beat(heartbeat('host/1', START));
    await heartbeats.beat(heartbeat('host/2', START));

    await heartbeats.remove('host/1');
    await heartbeats.remove('unknown');

    expect((await heartbeats.list()).map(({ owner }) => owner)).toEqual(['host/2']);
  });

  test('those older than a moment are removed', async () => {
    const { heartbeats } = fixture.database;
    await heartbeats.beat(heartbeat('old', START));
    await heartbeats.beat(heartbeat('new', START + 1));

    await heartbeats.prune(START + 1);

    expect((await heartbeats.list()).map(({ owner }) => owner)).toEqual(['new']);
  });
});
