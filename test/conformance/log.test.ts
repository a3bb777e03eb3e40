import { beforeAll, expect, test } from 'vitest';
import { ask } from '../support/api-server.ts';
import { appendDrafts, settlementsAt } from '../support/log-entries.ts';
import { onRunningService } from './service.ts';

const SECOND = 1_000;
const DELAY = 300 * SECOND;

onRunningService(
  'Free-tier alerts are delayed by 5 minutes. Pro and Enterprise are real-time. – also in the log',
  (service) => {
    let keys: { nobody: undefined; free: string; pro: string };
    beforeAll(async () => {
      const { key } = service();
      keys = { nobody: undefined, free: await key('free'), pro: await key('pro') };
    });

    /** Everything that a caller can read of the log, with every sequence number there could be at its end. */
    async function readAll(caller: 'nobody' | 'free' | 'pro') {
      const { address } = service();
      const paths = [
        '/api/v1/events?limit=0',
        ...[0, 130, 131, 132, 133, 134].map((seq) => `/api/v1/events?after=${seq}`),
      ];
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
      // Everyone sees the 132 entries of the archive.
      clock.advance(DELAY + SECOND);
      const enteredAt = clock.now();
      const before = {
        nobody: await readAll('nobody'),
        free: await readAll('free'),
        pro: await readAll('pro'),
      };
      const [entry] = await appendDrafts(container.database.log, settlementsAt(enteredAt));
      await container.database.alertIndex.refresh();
      const hash = entry?.hash ?? '';
      for (const age of [SECOND, 60 * SECOND, DELAY - SECOND]) {
        clock.advance(enteredAt + age - clock.now());
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
