import { expect, test, vi } from 'vitest';
import type { Delivery } from '../../../../src/core/delivery/webhooks/delivery.ts';
import type { MessageAddress } from '../../../../src/core/delivery/webhooks/webhook-format.ts';
import { fakeSender } from '../../../support/fake-sender.ts';
import { recordingLogger } from '../../../support/recording-logger.ts';
import { numbered, openDeliveryFixture, openWithWebhook, writes } from './delivery-fixture.ts';

test('each webhook is sent an alert in its own format, made once for all, and JSON is not made where nobody takes it', async () => {
  const fixture = await openDeliveryFixture();
  await fixture.key({ id: 'key_a' });
  for (const format of ['discord', 'slack', 'ntfy'] as const)
    for (const id of [`wh_${format}`, `wh_${format}_2`]) await fixture.webhook({ id, format });
  const sender = fakeSender();
  const messageOf = vi.fn(async ({ id }: { id: number }) => writes(`alert ${id}`));
  const serialise = vi.fn(() => '{}');
  await fixture.engine(sender, { messageOf, serialise });
  await fixture.publish(...numbered(2));
  await vi.waitFor(() => expect(sender.sent).toHaveLength(12));

  const slack = sender.sent.filter(({ format }) => format === 'slack');
  expect(slack.map(({ id, url, body }) => [id, url, body]).toSorted()[0]).toEqual([
    'msg_1_slack',
    'https://wh_slack.example.com/hook?token=secret&as=slack',
    '{"slack":"alert 1"}',
  ]);
  expect(messageOf).toHaveBeenCalledTimes(2);
  expect(serialise).not.toHaveBeenCalled();

  await fixture.webhook({ id: 'wh_json' });
  await fixture.publish({ id: 3 });
  await vi.waitFor(() => expect(sender.sent).toHaveLength(19));
  expect(sender.sent.find(({ format }) => format === 'json')).toMatchObject({ body: '{}' });
  expect(serialise).toHaveBeenCalledTimes(1);
});

test('a repeated message is made anew: a wallet that was hidden since is not named', async () => {
  const fixture = await openWithWebhook({ format: 'discord' });
  const sender = fakeSender();
  let wallet = '0x7c3d…5c6b';
  await fixture.engine(sender, { messageOf: async () => writes(wallet) });
  await fixture.publish({ id: 1 });
  await fixture.become('delivered');
  wallet = 'a hidden wallet';
  const [first] = await fixture.log('wh_a');
  const again = { state: 'requested', finishedAt: null, result: null } as const;
  await fixture.database.deliveries.add([
    { ...(first as Delivery), ...again, id: `${first?.id}.1`, repeats: first?.id ?? '' },
  ]);
  await fixture.pass(2_000);
  await vi.waitFor(() => expect(sender.sent).toHaveLength(2));
  expect(sender.sent.map(({ body }) => body)).toEqual([
    '{"discord":"0x7c3d…5c6b"}',
    '{"discord":"a hidden wallet"}',
  ]);
});

test('a text that cannot be written cancels its own delivery, not those of others', async () => {
  const fixture = await openWithWebhook({ format: 'discord' });
  await fixture.webhook({ id: 'wh_json' });
  await fixture.webhook({ id: 'wh_slack', format: 'slack' });
  const sender = fakeSender();
  const { logger, log } = recordingLogger();
  const messageOf = async () => (to: MessageAddress) => {
    if (to.format === 'discord') throw new URIError('malformed');
    return writes('well')(to);
  };
  await fixture.engine(sender, { messageOf, logger });
  await fixture.publish({ id: 1 });
  await fixture.become('cancelled');
  await vi.waitFor(() =>
    expect(sender.sent.map(({ format }) => format).toSorted()).toEqual(['json', 'slack']),
  );
  expect(log.join('')).toContain('malformed');
});

test('a message that cannot be made now is sent when it can be; one that there is not is cancelled', async () => {
  const fixture = await openWithWebhook({ format: 'discord' });
  const sender = fakeSender();
  const messageOf = vi
    .fn(async () => null)
    .mockRejectedValueOnce(new Error('database away'))
    .mockResolvedValueOnce(writes('after all') as never);
  await fixture.engine(sender, { messageOf });
  await fixture.publish({ id: 1 });
  await fixture.pass(3_000);
  await fixture.become('delivered');
  await fixture.publish({ id: 2 });
  await fixture.become('delivered', 'cancelled');
  expect(sender.sent).toHaveLength(1);
});

test('the notice about a failing webhook of a service does not tell the path, which lets others write there', async () => {
  const url = 'https://discord.example.com/api/webhooks/1/secret-token';
  const fixture = await openWithWebhook({ format: 'discord', url });
  await fixture.engine(
    fakeSender(() => ({ status: 429, error: 'status', durationMs: 1, retryAfterSeconds: 5 })),
  );
  await fixture.publish(...numbered(20));
  await vi.waitFor(async () =>
    expect(await fixture.told()).toMatchObject([
      { facts: { url: 'https://discord.example.com', failures: 20 } },
    ]),
  );
  expect((await fixture.log('wh_a'))[0]).toMatchObject({ state: 'failed', result: { retryAfterSeconds: 5 } });
});
