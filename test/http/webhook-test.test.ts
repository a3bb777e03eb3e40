import { describe, expect, test, vi } from 'vitest';
import { sampleAlertSchema } from '../../src/http/views/alert-view.ts';
import { startApi } from '../support/api-server.ts';
import { fakeSender, heldSender } from '../support/fake-sender.ts';
import { startWithWebhook, URL_GIVEN } from '../support/webhook-api.ts';

describe('POST /webhooks/{webhook_id}/test: “sends a marked sample now and answers with status and time”', () => {
  test.each([
    [{ status: 200, error: null, durationMs: 87, retryAfterSeconds: null }, 'delivered'],
    [{ status: 429, error: 'status', durationMs: 5, retryAfterSeconds: 65 }, 'failed'],
    [{ status: null, error: 'timeout', durationMs: 5_000, retryAfterSeconds: null }, 'failed'],
  ] as const)(
    'whatever the receiver said (%j), the answer is 200 and %s, and so says the log',
    async (result, status) => {
      const sender = fakeSender(() => result);
      const { test: sendTest, log, show, clock } = await startWithWebhook({ sender });
      const before = await show();
      const answer = await sendTest();
      const outcome = {
        status,
        response_status: result.status,
        duration_ms: result.durationMs,
        error: result.error,
        retry_after: result.retryAfterSeconds,
      };
      expect([answer.status, answer.body]).toEqual([
        200,
        { id: expect.stringMatching(/^msg_test_[\w-]{16}$/), ...outcome },
      ]);
      expect(sender.sent).toMatchObject([{ id: answer.body.id, url: URL_GIVEN }]);
      const now = new Date(clock.now()).toISOString().slice(0, 19).replace('T', ' ');
      expect(await log()).toEqual({
        deliveries: [
          {
            ...answer.body,
            alert_id: null,
            outcome: null,
            exit: null,
            repeats: null,
            test: true,
            created_at: now,
            finished_at: now,
          },
        ],
        has_more: false,
      });
      // Not into the counts.
      expect(await show()).toEqual(before);
    },
  );

  test('the sample is a whole alert, marked, with the id 0, and one the webhook asks for', async () => {
    const sender = fakeSender();
    const { test: sendTest } = await startWithWebhook(
      { sender },
      { categories: 'tech,crypto', min_signal: 100 },
    );
    await sendTest();
    const sample = JSON.parse(sender.sent[0]?.body ?? '');
    expect(sampleAlertSchema.strict().parse(sample)).toEqual(sample);
    expect(sample).toMatchObject({ test: true, id: 0, category: 'tech', signal_score: 100 });
    expect(sample.event_title).toMatch(/TEST/);
  });
});

test.each([
  [{ reason: 'limited', resetMs: 41_000 }, 'A key may send 10 tests per minute.', '41'],
  [{ reason: 'busy' }, 'A key may have 2 tests in progress. Wait for one to end.', '5'],
] as const)('above its limits (%j) it is a 429 with Retry-After', async (refusal, limit, retryAfter) => {
  const webhookTester = { test: async () => ({ ok: false, ...refusal }) as const };
  const { issue, send } = await startApi({ webhookTester });
  const { secret } = await issue({ tier: 'enterprise' });
  const { status, body, headers } = await send('POST', '/webhooks/wh_1/test', secret);
  const detail = `Too many webhook tests. ${limit}`;
  expect([status, body]).toEqual([429, { detail, code: 'too_many_tests' }]);
  expect(headers.get('retry-after')).toBe(retryAfter);
});

describe('when something breaks', () => {
  test('shutdown waits for a test in progress, and answers it', async () => {
    const { sender, letGo: release } = heldSender();
    const { test: sendTest, app } = await startWithWebhook({ sender });
    const running = sendTest();
    await vi.waitFor(() => expect(sender.sent).toHaveLength(1));
    const closing = app.close();
    release();
    expect((await running).body).toMatchObject({ status: 'delivered' });
    await closing;
  });
});
