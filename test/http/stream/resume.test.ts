import { expect, test } from 'vitest';
import { alertOf } from '../../support/alerts.ts';
import { startApi } from '../../support/api-server.ts';
import { connectStream } from '../../support/stream-client.ts';

const ALERTS = 2_000;
const KILLS = 200;

test('issue, resume: a client killed and reconnected 200 times while 2,000 alerts flow receives every id once, in order', async () => {
  const api = await startApi();
  const { secret } = await api.issue({ tier: 'enterprise' });
  const received: number[] = [];
  let kills = 0;
  const publishing = (async () => {
    for (let id = 1; id <= ALERTS; id += 1) {
      await api.append(alertOf({ id }));
      // The alerts keep step with the kills, so that they flow until the last.
      while (id > ((kills + 1) * ALERTS) / KILLS) await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  while (received.length < ALERTS) {
    const client = connectStream(api.baseUrl, `api_key=${secret}&since_id=${received.at(-1) ?? 0}`);
    const wanted = kills < KILLS ? 1 + ((kills * 7) % 10) : ALERTS - received.length;
    await client.received(1 + Math.min(wanted, ALERTS - received.length));
    received.push(...client.ids());
    client.socket.terminate();
    kills += 1;
  }
  await publishing;
  expect(kills).toBeGreaterThanOrEqual(KILLS);
  expect(received).toEqual(Array.from({ length: ALERTS }, (_, index) => index + 1));
});
