import { describe, expect, test } from 'vitest';
import { type Delivery, deliveryId } from '../../src/core/delivery/webhooks/delivery.ts';
import { startWithWebhook } from '../support/webhook-api.ts';

async function startWithDelivery(given: Partial<Delivery> = {}) {
  const api = await startWithWebhook();
  const { id: webhookId, clock, database, send, secret, path } = api;
  const id = deliveryId(webhookId, 7);
  const ended = { createdAt: clock.now(), finishedAt: clock.now(), result: null } as const;
  await database.deliveries.add([{ ...ended, id, webhookId, alertId: 7, state: 'failed', ...given }]);
  return {
    ...api,
    delivery: id,
    redeliver: (which = id) => send('POST', `${path}/deliveries/${which}/redeliver`, secret),
  };
}

describe('POST /webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver', () => {
  test('answers with the new entry of the log, which names what it repeats', async () => {
    const { redeliver, delivery, log } = await startWithDelivery();
    const { status, body } = await redeliver();
    const entry = { id: `${delivery}.1`, alert_id: 7, outcome: null, test: false, repeats: delivery };
    expect([status, body]).toMatchObject([202, { ...entry, status: 'requested', finished_at: null }]);
    expect((await log()).deliveries.map(({ id, repeats }: never) => [id, repeats])).toEqual([
      [`${delivery}.1`, delivery],
      [delivery, null],
    ]);
    expect((await log('?status=requested')).deliveries).toEqual([body]);
  });

  test('each refusal says why', async () => {
    const { redeliver, delivery, patch, send, secret } = await startWithDelivery();
    expect(await redeliver('msg_x')).toMatchObject({
      status: 404,
      body: { detail: 'Delivery msg_x was not found.' },
    });
    expect(await send('POST', '/webhooks/wh_x/deliveries/msg_x/redeliver', secret)).toMatchObject({
      status: 404,
      body: { detail: 'Webhook wh_x was not found.' },
    });
    await patch({ paused: true });
    const detail = `Delivery ${delivery} is not sent again while the webhook is paused. Resume it with PATCH first.`;
    expect(await redeliver()).toMatchObject({ status: 409, body: { detail } });
    await patch({ paused: false });
    expect((await redeliver()).status).toBe(202);
    expect((await redeliver()).body.detail).toMatch(/has not ended\. Wait for its end\.$/);
    for (let count = 0; count < 60; count += 1) await redeliver();
    const limited = await redeliver();
    expect([limited.status, limited.body.detail]).toEqual([
      429,
      'Too many repeated deliveries. A key may request 60 per minute.',
    ]);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('filters and events of a webhook', () => {
  const filters = {
    category: 'crypto',
    side: 'BUY',
    alert_type: 'cluster',
    min_usdc: 0.5,
    min_signal: 70,
    search: 'Measure',
  };

  test('are shown as they were given, changed one by one, and cleared with null', async () => {
    const { post, get, secret, patch, show } = await startWithWebhook(
      {},
      { filters, events: 'outcome, alert' },
    );
    expect(await show()).toMatchObject({ filters, events: 'outcome,alert' });
    expect((await patch({ filters: { side: 'SELL', search: ' ', category: null } })).body).toMatchObject({
      filters: { side: 'SELL' },
      events: 'outcome,alert',
    });
    expect((await patch({ events: '' })).body).toMatchObject({ filters: { side: 'SELL' }, events: 'alert' });
    expect((await patch({ filters: null, events: 'outcome' })).body).toMatchObject({
      filters: null,
      events: 'outcome',
    });
    const { id } = (await post({ url: 'https://example.com/plain' })).body;
    expect((await get(`/webhooks/${id}`, secret)).body).toMatchObject({ filters: null, events: 'alert' });
  });

  test.each([
    [{ filters: { resolved: true } }, ['body', 'filters']],
    [{ filters: { page_size: 20 } }, ['body', 'filters']],
    [{ filters: { side: 'HOLD' } }, ['body', 'filters', 'side']],
    [{ filters: { min_usdc: '5000' } }, ['body', 'filters', 'min_usdc']],
    [{ filters: [] }, ['body', 'filters']],
    [{ events: 'alert,post' }, ['body', 'events']],
    [{ events: ['alert'] }, ['body', 'events']],
  ])('%j is a 422 that names it, in POST and PATCH', async (given, loc) => {
    const { post, patch } = await startWithWebhook();
    for (const { status, body } of [
      await post({ url: 'https://example.com', ...given }),
      await patch(given),
    ]) {
      expect(status).toBe(422);
      expect(body.detail[0].loc.slice(0, loc.length)).toEqual(loc);
    }
  });
});
