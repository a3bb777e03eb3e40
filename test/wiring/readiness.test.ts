import { describe, expect, test } from 'vitest';
import type { BotStatus } from '../../bots/shared/chat-bot.ts';
import type { Bots } from '../../src/wiring/bots.ts';
import type { House } from '../../src/wiring/house.ts';
import { readinessOf } from '../../src/wiring/readiness.ts';
import { createFakeClock } from '../support/clock.ts';
import { START } from '../support/rows.ts';

const RUNNING: BotStatus = { state: 'running', detail: null };
const REFUSED: BotStatus = { state: 'refused', detail: 'getUpdates: 401 Unauthorized' };

function readinessWith(statuses: Readonly<Record<string, BotStatus>>, isOnlyRole: boolean) {
  const database = { kind: 'sqlite', ping: async () => {} } as unknown as House['database'];
  const bots: Bots = { isOnlyRole, status: () => statuses, run: async () => {} };
  const coverage = { isLive: false, view: () => null };
  const house = { database, clock: createFakeClock(START) };
  return readinessOf(house, { ingest: null, deliver: null, bots, coverage });
}

describe('readiness while the token of a bot is refused', () => {
  test('the check of the bots fails and names the platform; a process with other roles stays ready', async () => {
    const { ready, checks } = await readinessWith({ telegram: REFUSED, discord: RUNNING }, false);
    expect(ready).toBe(true);
    expect(checks['bots']).toEqual({ ready: false, telegram: REFUSED, discord: RUNNING });
  });

  test('a process that only has the bots is not ready', async () => {
    expect(await readinessWith({ telegram: REFUSED, discord: RUNNING }, true)).toMatchObject({
      ready: false,
      checks: { bots: { ready: false } },
    });
  });

  test.each(['starting', 'running', 'failing', 'stopped'] as const)(
    'a bot that is %s fails nothing',
    async (state) => {
      const status = { state, detail: null };
      expect(await readinessWith({ telegram: status }, true)).toMatchObject({
        ready: true,
        checks: { bots: { ready: true, telegram: status } },
      });
    },
  );

  test('a process that stands by is ready', async () => {
    expect(await readinessWith({}, true)).toMatchObject({ ready: true, checks: { bots: { ready: true } } });
  });
});
