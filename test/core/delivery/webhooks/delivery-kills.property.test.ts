import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import type { WebhookMessage } from '../../../../src/core/delivery/webhooks/webhook.ts';
import { settle } from '../../../support/chat/chat-engine-fixture.ts';
import {
  killsWithin,
  startLives,
  storeFaultsWithin,
  unsteady,
} from '../../../support/chat/killable-process.ts';
import { BROKEN, DELIVERED } from '../../../support/fake-sender.ts';
import { openDeliveryFixture } from './delivery-fixture.ts';

const ALERTS = 5;
const WEBHOOKS = ['wh_a', 'wh_b'];
const ENDS: readonly string[] = ['delivered', 'failed', 'unknown'];

type ReceiverAnswer = 'ok' | 'slow' | 'broken' | 'fault';

const answers = fc.array(fc.constantFrom<ReceiverAnswer>('ok', 'ok', 'ok', 'slow', 'broken', 'fault'), {
  maxLength: ALERTS * WEBHOOKS.length,
});
const gaps = fc.array(fc.constantFrom(0, 0, 500, 4_000, 15_000), { minLength: ALERTS, maxLength: ALERTS });

test('with processes that are killed and writes that fail, each alert is one delivery of each webhook, which is sent at most once and whose end is known or unknown', async () => {
  await fc.assert(
    fc.asyncProperty(
      killsWithin(60),
      storeFaultsWithin(25),
      answers,
      gaps,
      async (plan, failing, script, waits) => {
        const fixture = await openDeliveryFixture();
        const { database, clock } = fixture;
        await fixture.key({ id: 'key_a' });
        for (const id of WEBHOOKS) await fixture.webhook({ id });
        await database.deliveries.advance(0);
        const sent = new Map<string, ReceiverAnswer>();
        const send = async ({ id }: WebhookMessage) => {
          expect([...sent.keys()]).not.toContain(id);
          const answer = script[sent.size] ?? 'ok';
          sent.set(id, answer);
          if (answer === 'slow') await clock.sleep(3 * SECOND_MS);
          if (answer === 'fault') throw new Error('an internal fault');
          return answer === 'broken' ? BROKEN : DELIVERED;
        };
        let lives = 0;
        const deliveries = unsteady(database.deliveries, ['claim', 'finish', 'add'], failing);
        const pass = async (ms: number) => {
          for (let passed = 0; passed < ms; passed += SECOND_MS) {
            await settle();
            await clock.advance(Math.min(SECOND_MS, ms - passed));
          }
          await settle();
        };
        const isOver = async () => {
          const rows = (await Promise.all(WEBHOOKS.map((id) => fixture.log(id)))).flat();
          return rows.length === ALERTS * WEBHOOKS.length && rows.every(({ state }) => ENDS.includes(state));
        };

        startLives(plan, ({ owner, wrap }) => {
          lives += 1;
          void fixture.engine(wrap({ send }), {
            ...{ owner, closes: false, fanOutBatchSize: 1 },
            ...{ deliveries: wrap(deliveries), webhooks: wrap(database.webhooks) },
          });
        });
        for (const [index, wait] of waits.entries()) {
          await pass(wait);
          await fixture.publish({ id: index + 1, createdAt: clock.now() });
        }
        for (let passed = 0; passed < 90 && !(await isOver()); passed += 5) await pass(5 * SECOND_MS);
        await pass(SECOND_MS);

        for (const webhookId of WEBHOOKS) {
          const log = await fixture.log(webhookId);
          expect(log.map(({ alertId }) => alertId).toSorted()).toEqual([1, 2, 3, 4, 5]);
          for (const { id, state } of log) {
            const answer = sent.get(id);
            const ends = { ok: 'delivered', slow: 'delivered', broken: 'failed', fault: 'unknown' };
            const isKnown = answer !== undefined && state === ends[answer];
            expect([id, state, isKnown || (lives > 1 && state === 'unknown')]).toEqual([id, state, true]);
          }
          const [webhook] = await database.webhooks.byIds([webhookId]);
          const delivered = log.filter(({ state }) => state === 'delivered').length;
          const counted = { delivered: webhook?.delivered ?? 0, failed: webhook?.failed ?? 0 };
          // What a killed process had not counted stays uncounted.
          if (lives === 1) expect(counted).toEqual({ delivered, failed: ALERTS - delivered });
          else expect(counted.delivered + counted.failed).toBeLessThanOrEqual(ALERTS);
        }
      },
    ),
    { numRuns: 25 },
  );
}, 120_000);
