import { beforeAll, expect, test } from 'vitest';
import { alertOf } from '../support/alerts.ts';
import { ask } from '../support/api-server.ts';
import { NOON } from '../support/archive.ts';
import { ITEM_FIELDS } from '../support/item-fields.ts';
import { appendDrafts, outcomesAt } from '../support/log-entries.ts';
import { connectStream } from '../support/stream-client.ts';
import { SENTENCES } from './sentences.ts';
import { onRunningService } from './service.ts';

const SECOND = 1_000;
const DELAY = 300 * SECOND;

onRunningService(
  `${SENTENCES.freeDelay} – also in the log`,
  (service) => {
    let keys: { nobody: undefined; free: string; pro: string };
    beforeAll(async () => {
      const { container, key } = service();
      keys = { nobody: undefined, free: await key('free'), pro: await key('pro') };
      await appendDrafts(container.database.log, outcomesAt(NOON - 2 * DELAY, NOON - DELAY));
    });

    /** Everything that a caller can read of the log, with every sequence number there could be. */
    async function readAll(caller: 'nobody' | 'free' | 'pro') {
      const { address } = service();
      const paths = ['/api/v1/log/head', ...[0, 1, 2, 3].map((sequence) => `/api/v1/log?after=${sequence}`)];
      const key = keys[caller];
      const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
      const answers: unknown[] = [];
      for (const path of paths) {
        const { status, text, headers: given } = await ask(address + path, { headers });
        answers.push([path, status, text, given.get('etag')]);
      }
      return JSON.stringify(answers);
    }

    test('the difference of two answers never shows an entry that is younger than 5 minutes', async () => {
      const { clock, container } = service();
      clock.advance(SECOND);
      const before = {
        nobody: await readAll('nobody'),
        free: await readAll('free'),
        pro: await readAll('pro'),
      };
      const [entry] = await appendDrafts(container.database.log, outcomesAt(clock.now()));
      const hash = entry?.hash ?? '';
      for (const age of [SECOND, 60 * SECOND, DELAY - SECOND]) {
        clock.advance(NOON + SECOND + age - clock.now());
        expect(await readAll('nobody')).toBe(before.nobody);
        expect(await readAll('free')).toBe(before.free);
        expect(await readAll('pro')).toContain(hash);
      }
      clock.advance(2 * SECOND);
      for (const caller of ['nobody', 'free'] as const) expect(await readAll(caller)).toContain(hash);
    });
  },
  { PUBLIC_REQUESTS_PER_MINUTE: '0' },
);

onRunningService('what the log adds to answers of the contract', (service) => {
  const log = { sequence: 9, hash: 'c'.repeat(64) };

  test('is the field `log` alone, in alerts and frames; lists and figures have none', async () => {
    const { address, call, clock, key, publish } = service();
    const secret = await key('pro');
    const { received } = connectStream(address, `api_key=${secret}`);
    await received(1);
    await publish(alertOf({ id: 131, createdAt: clock.now(), log }));
    const [connected, frame] = await received(2);
    const { body: alert } = await call('/alerts/131', { key: secret });
    const { body: older } = await call('/alerts/130', { key: secret });
    const [latest] = (await call('/alerts/latest?limit=1', { key: secret })).body;
    const [item] = (await call('/alerts?page_size=1', { key: secret })).body.alerts;

    expect([alert.log, latest.log, frame.data.log]).toEqual([log, log, log]);
    expect(older.log).toBeNull();
    expect(Object.keys(alert).toSorted()).toEqual(Object.keys(older).toSorted());
    expect(Object.keys(frame)).toEqual(['type', 'data']);
    expect(Object.keys(connected)).toEqual(['type', 'message', 'tier', 'log']);
    expect(Object.keys(item).toSorted()).toEqual([...ITEM_FIELDS].toSorted());
    for (const path of ['/me', '/stats', '/hot-markets'])
      expect((await call(path, { key: secret })).body).not.toHaveProperty('log');
  });
});
