import { describe, expect, test } from 'vitest';
import { type Delivery, deliveryId } from '../../src/core/delivery/webhooks/delivery.ts';
import { startWithWebhook } from '../support/webhook-api.ts';

async function startWithLog() {
  const api = await startWithWebhook();
  const { id: webhookId, clock, database } = api;
  const row = (alertId: number, given: Partial<Delivery> = {}): Delivery => ({
    id: deliveryId(webhookId, alertId),
    webhookId,
    alertId,
    state: 'delivered',
    createdAt: clock.now() + alertId,
    finishedAt: clock.now() + alertId,
    result: { status: 200, error: null, durationMs: alertId, retryAfterSeconds: null },
    ...given,
  });
  return { ...api, row, add: (...rows: readonly Delivery[]) => database.deliveries.add(rows) };
}

describe('GET /webhooks/{webhook_id}/deliveries: “Delivery log per webhook”', () => {
  test('shows what there is to know of each, the times as everywhere', async () => {
    const { add, row, log, id, clock } = await startWithLog();
    const seconds = new Date(clock.now()).toISOString().slice(0, 19).replace('T', ' ');
    await add(
      row(7),
      row(8, {
        state: 'failed',
        result: { status: null, error: 'dns', durationMs: 3, retryAfterSeconds: null },
      }),
      row(9, { state: 'unknown', result: null }),
      row(10, { state: 'pending', result: null, finishedAt: null }),
    );
    const shared = {
      outcome: null,
      exit: null,
      repeats: null,
      test: false,
      created_at: seconds,
      finished_at: seconds,
    };
    const nothing = { response_status: null, duration_ms: null, error: null, retry_after: null };
    const idOf = (alertId: number) => ({ id: deliveryId(id, alertId), alert_id: alertId });
    expect(await log()).toEqual({
      deliveries: [
        { ...shared, ...idOf(10), status: 'pending', ...nothing, finished_at: null },
        { ...shared, ...idOf(9), status: 'unknown', ...nothing },
        { ...shared, ...idOf(8), status: 'failed', ...nothing, duration_ms: 3, error: 'dns' },
        { ...shared, ...idOf(7), status: 'delivered', ...nothing, response_status: 200, duration_ms: 7 },
      ],
      has_more: false,
    });
  });

  test('after a delivery that is not in the log, or no longer, comes a 404: an empty page would end the reading', async () => {
    const { add, row, log, id } = await startWithLog();
    await add(row(1));
    const detail = 'Delivery msg_0_gone was not found: it is not, or no longer, listed.';
    expect(await log('?before_id=msg_0_gone')).toEqual({ detail, code: 'delivery_not_found' });
    expect(await log(`?before_id=${deliveryId(id, 1)}`)).toEqual({ deliveries: [], has_more: false });
  });
});
