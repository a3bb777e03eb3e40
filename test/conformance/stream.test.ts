import { describe, expect, test } from 'vitest';
import { EMPTY_LOG, type LogEntry, type LogHead } from '../../src/core/alerts/log/log-entry.ts';
import { alertOf } from '../support/alerts.ts';
import { startApi } from '../support/api-server.ts';
import { connectStream, refusedStream } from '../support/stream-client.ts';
import { onRunningService } from './service.ts';

onRunningService('the stream', (service) => {
  /** What the contract does not name, in every frame but an alert's. */
  async function besides(): Promise<{ readonly log: LogHead }> {
    const { seq, hash } = (await service().container.database.log.last()) as LogEntry;
    return { log: { seq, hash } };
  }

  async function connect(tier: 'free' | 'pro' | 'enterprise') {
    const key = await service().key(tier, 'Stream');
    return { key, ...connectStream(service().address, `api_key=${key}`) };
  }

  async function publish(): Promise<number> {
    const { call, clock, key, publish: add } = service();
    const [newest] = (await call('/alerts/latest?limit=1', { key: await key('pro') })).body;
    await add(alertOf({ id: newest.id + 1, createdAt: clock.now() }));
    return newest.id + 1;
  }

  test('A WebSocket stream at `{ws_url}/ws/alerts`. This path is at the host root and is not under `/api/v1`. Available to Pro and Enterprise.', async () => {
    const [first] = await (await connect('pro')).received(1);
    expect(first.type).toBe('connected');
    const { call, key } = service();
    const secret = await key('pro');
    const under = await call(`/ws/alerts?api_key=${secret}`, { key: secret });
    expect(under.status).toBe(404);
  });

  test('The WebSocket takes the key in the query parameter `api_key`, not in a header.', async () => {
    const key = await service().key('pro');
    const [first] = await connectStream(service().address, `api_key=${key}`).received(1);
    expect(first.type).toBe('connected');
    const inHeader = await refusedStream(service().address, '', { authorization: `Bearer ${key}` });
    expect(inHeader.status).toBe(401);
  });

  test('| WebSocket stream | no | yes | yes | A Free-tier key is dropped immediately after connecting.', async () => {
    for (const tier of ['pro', 'enterprise'] as const)
      expect((await (await connect(tier)).received(1))[0].type).toBe('connected');
    const { frames, closed } = await connect('free');
    expect(await closed).toMatchObject({ code: 4403 });
    expect(frames).toEqual([]);
  });

  test('Server messages are JSON with a `type` field: | `connected` | Once, when the connection is authenticated. | `message` (string), `tier` (string) |', async () => {
    const { received, socket } = await connect('pro');
    await received(1);
    const head = await besides();
    await publish();
    socket.send('ping');
    const frames = await received(3);
    expect(frames[0]).toEqual({
      ...{ type: 'connected', message: expect.any(String), tier: 'pro' },
      ...head,
    });
    expect(frames.slice(1).map(({ type }) => type)).toEqual(['alert', 'pong']);
  });

  test('| `alert` | For each live alert. | `data`: an alert object | Webhook bodies and WebSocket alert data carry at least `id`, `alert_type`, `side`, `outcome`, `entry_price`, `usdc_value`, `signal_score`, `event_title`, `category`.', async () => {
    const { key, received } = await connect('pro');
    await received(1);
    const ids = [await publish(), await publish()];
    const [, ...alerts] = await received(3);
    for (const [index, id] of ids.entries()) {
      const { body } = await service().call(`/alerts/${id}`, { key });
      // What became of the position is known later.
      const { exits, ...details } = body.details;
      expect(alerts[index]).toEqual({ type: 'alert', data: { ...body, details } });
      expect(body).toMatchObject({
        id,
        alert_type: 'fresh',
        side: 'BUY',
        outcome: 'Yes',
        entry_price: 0.4,
        usdc_value: 2_000,
        signal_score: 72,
        event_title: 'Will the measure pass?',
        category: 'politics',
      });
    }
  });

  test('Client message: the plain text string `ping`. | `pong` | Immediately after the client sends `ping`. | not stated |', async () => {
    const { received, socket } = await connect('pro');
    await received(1);
    for (let count = 2; count <= 4; count += 1) {
      socket.send('ping');
      expect((await received(count)).at(-1)).toEqual({ type: 'pong', ...(await besides()) });
    }
  });
});

describe('keeping alive', () => {
  async function connected() {
    const api = await startApi();
    const { secret } = await api.issue({ tier: 'pro' });
    const client = connectStream(api.baseUrl, `api_key=${secret}`);
    await client.received(1);
    return { ...api, ...client };
  }

  test('The server drops a connection that sends no `ping` in any rolling 30-second window. WebSocket: a Free key or a missed keep-alive results in the connection being dropped by the server.', async () => {
    const { clock, socket, closed, received } = await connected();
    await clock.advance(29_000);
    // Any other message keeps nothing alive, but is answered while the socket is open.
    socket.send('hello');
    expect((await received(2)).at(-1)).toMatchObject({ type: 'error' });
    await clock.advance(2_000);
    expect(await closed).toMatchObject({ code: 4408 });
  });

  test('A 20 to 25 second interval is advised.', async () => {
    const { clock, socket, received } = await connected();
    for (let count = 2; count <= 7; count += 1) {
      await clock.advance(25_000);
      socket.send('ping');
      expect((await received(count)).at(-1)).toEqual({ type: 'pong', log: EMPTY_LOG });
    }
  });
});
