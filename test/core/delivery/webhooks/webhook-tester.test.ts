import { expect, test, vi } from 'vitest';
import type { Alert } from '../../../../src/core/alerts/alert.ts';
import type { Delivery } from '../../../../src/core/delivery/webhooks/delivery.ts';
import type { Webhook } from '../../../../src/core/delivery/webhooks/webhook.ts';
import { TEST_LIMITS, WebhookTester } from '../../../../src/core/delivery/webhooks/webhook-tester.ts';
import { MemoryRateLimiter } from '../../../../src/infra/database/memory-rate-limiter.ts';
import { secureRandom } from '../../../../src/infra/secrets/key-crypto.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { BROKEN, DELIVERED, fakeSender } from '../../../support/fake-sender.ts';
import { START } from '../../../support/rows.ts';
import { silentLogger } from '../../../support/silent-logger.ts';
import { webhookOf } from '../../../support/webhooks.ts';
import { writes } from './delivery-fixture.ts';

/** A tester of `wh_a`, which belongs to `key_a`; `samples` are the alerts that it has sent. */
function openTester(sender = fakeSender(), webhook: Partial<Webhook> = {}) {
  const clock = createFakeClock(START);
  const [samples, logged]: [Alert[], Delivery[]] = [[], []];
  const warn = vi.fn();
  const log = vi.fn(async (rows: readonly Delivery[]) => {
    logged.push(...rows);
    return rows;
  });
  const tester = new WebhookTester({
    webhooks: {
      get: async (keyId, id) => (keyId === 'key_a' && id === 'wh_a' ? webhookOf({ id, ...webhook }) : null),
    },
    sender,
    deliveries: { add: log },
    signingSecrets: async ({ id }) => [`secret of ${id}`],
    rateLimiter: new MemoryRateLimiter({ capacity: 10, clock }),
    serialise: (alert) => JSON.stringify({ sample: samples.push(alert) }),
    testMessage: writes('a test'),
    random: secureRandom,
    clock,
    logger: { ...silentLogger, warn },
  });
  return { tester, clock, samples, logged, log, warn };
}

test('a test sends one signed sample with an id of its own, and is logged with its result', async () => {
  const sender = fakeSender();
  const { tester, logged } = openTester(sender);

  const [first, second] = [await tester.test('key_a', 'wh_a'), await tester.test('key_a', 'wh_a')];

  expect(sender.sent).toMatchObject([
    { url: webhookOf({ id: 'wh_a' }).url, body: '{"sample":1}', secrets: ['secret of wh_a'] },
    { body: '{"sample":2}' },
  ]);
  const ids = sender.sent.map(({ id }) => id);
  expect(ids[0]).toMatch(/^msg_test_[\w-]{16}$/);
  expect(new Set(ids).size).toBe(2);
  expect([first, second]).toEqual(ids.map((id) => ({ ok: true, id, result: DELIVERED })));
  const row = { webhookId: 'wh_a', alertId: null, state: 'delivered', createdAt: START, finishedAt: START };
  expect(logged).toEqual(ids.map((id) => ({ ...row, id, result: DELIVERED })));
});

test('a test that fails is logged as failed, and its result is the answer', async () => {
  const { tester, logged } = openTester(fakeSender(() => BROKEN));
  expect(await tester.test('key_a', 'wh_a')).toMatchObject({ ok: true, result: BROKEN });
  expect(logged).toMatchObject([{ state: 'failed', result: BROKEN }]);
});

test('a test whose row cannot be stored still has its result', async () => {
  const { tester, log, warn } = openTester();
  log.mockRejectedValueOnce(new Error('away'));
  expect(await tester.test('key_a', 'wh_a')).toMatchObject({ ok: true, result: DELIVERED });
  expect(warn).toHaveBeenCalledTimes(1);
});

test('a webhook of another key is missing, and costs none of its tests', async () => {
  const sender = fakeSender();
  const { tester } = openTester(sender);
  for (let asked = 0; asked < 20; asked += 1)
    expect(await tester.test('key_b', 'wh_a')).toEqual({ ok: false, reason: 'missing' });
  expect(sender.sent).toEqual([]);
});

test('10 tests of a key per minute, whatever their results; the refusal states when the next is possible', async () => {
  const sender = fakeSender(() => BROKEN);
  const { tester } = openTester(sender);
  for (let sent = 0; sent < TEST_LIMITS.perMinute; sent += 1)
    expect(await tester.test('key_a', 'wh_a')).toMatchObject({ ok: true });

  const refusal = await tester.test('key_a', 'wh_a');

  expect(refusal).toEqual({ ok: false, reason: 'limited', resetMs: expect.any(Number) });
  expect(sender.sent).toHaveLength(10);
});

test('2 tests of a key at the same time; a third is refused until one ends', async () => {
  const ends: (() => void)[] = [];
  const sender = fakeSender(() =>
    ends.length === 2 ? DELIVERED : new Promise((resolve) => ends.push(() => resolve(DELIVERED))),
  );
  const { tester } = openTester(sender);
  const running = [tester.test('key_a', 'wh_a'), tester.test('key_a', 'wh_a')];
  await vi.waitFor(() => expect(ends).toHaveLength(2));

  expect(await tester.test('key_a', 'wh_a')).toEqual({ ok: false, reason: 'busy' });

  ends[0]?.();
  await running[0];
  expect(await tester.test('key_a', 'wh_a')).toMatchObject({ ok: true });
});

test.each([
  [['tech', 'crypto'] as const, 'tech'],
  [null, 'other'],
])(
  'the sample for the categories %j passes every filter, is complete, and names no market',
  async (categories, category) => {
    const { tester, samples } = openTester(fakeSender(), { categories, minScore: 100 });
    await tester.test('key_a', 'wh_a');

    const [sample] = samples;
    expect(sample).toMatchObject({
      id: 0,
      score: 100,
      category,
      isHistory: false,
      tradedAt: START,
      createdAt: START,
    });
    expect(textsOf(sample).filter((text) => text === '')).toEqual([]);
    expect(sample?.eventTitle).toMatch(/TEST/);
    expect([sample?.wallet, sample?.marketId]).toEqual([`0x${'0'.repeat(40)}`, `0x${'0'.repeat(40)}`]);
    const { shares = 0, entryPrice = 0, usdc = 0, details } = sample ?? {};
    expect(shares * entryPrice).toBeCloseTo(usdc);
    expect(details?.toWinUsdc).toBeCloseTo(shares - usdc);
    expect(details?.reasons.reduce((sum, { points }) => sum + points, 0)).toBe(sample?.score);
  },
);

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

test('a webhook of another format is sent a test message of that format, signed as any other', async () => {
  const sender = fakeSender();
  const { tester, samples } = openTester(sender, { format: 'ntfy' });
  await tester.test('key_a', 'wh_a');
  expect(sender.sent).toMatchObject([
    { format: 'ntfy', body: '{"ntfy":"a test"}', secrets: ['secret of wh_a'] },
  ]);
  expect(samples).toEqual([]);
});
