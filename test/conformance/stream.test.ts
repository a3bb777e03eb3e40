import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { followAlerts } from '../../examples/stream-client.ts';
import { EMPTY_LOG } from '../../src/core/alerts/log/log-entry.ts';
import { alertOf } from '../support/alerts.ts';
import { startApi } from '../support/api-server.ts';
import { connectStream, refusedStream } from '../support/stream-client.ts';
import { startStandIn } from '../support/stream-stand-in.ts';
import { createAuthority, type ServerCertificate, trust } from '../support/tls/authority.ts';
import { SENTENCES } from './sentences.ts';
import { onRunningService } from './service.ts';

/** Certificates are made and judged by the real time: before a suite stops its clock. */
const authority = await createAuthority();
const certificate = await authority.issue({ names: ['127.0.0.1'] });

/** What the contract does not name, in every frame but an alert's. */
const BESIDES = { log: EMPTY_LOG };

onRunningService('the stream', (service) => {
  describe.each(['ws', 'wss'])('over %s', (scheme) => {
    let tls: TlsProxy;
    let distrust: () => void;
    beforeAll(async () => {
      distrust = trust(authority);
      tls = await startTlsProxy(certificate, {
        host: '127.0.0.1',
        port: Number(new URL(service().address).port),
      });
    });
    afterAll(async () => {
      await tls.close();
      distrust();
    });
    const host = () => (scheme === 'wss' ? `https://127.0.0.1:${tls.port}` : service().address);

    async function connect(tier: 'free' | 'pro' | 'enterprise') {
      const key = await service().key(tier, 'Stream');
      return { key, ...connectStream(host(), `api_key=${key}`) };
    }

    async function publish(): Promise<number> {
      const { call, clock, key, publish: add } = service();
      const [newest] = (await call('/alerts/latest?limit=1', { key: await key('pro') })).body;
      await add(alertOf({ id: newest.id + 1, createdAt: clock.now() }));
      return newest.id + 1;
    }

    test(SENTENCES.streamPath, async () => {
      for (const tier of ['pro', 'enterprise'] as const) {
        const [first] = await (await connect(tier)).received(1);
        expect(first.type).toBe('connected');
      }
      const { call, key } = service();
      const secret = await key('pro');
      const under = await call(`/ws/alerts?api_key=${secret}`, { key: secret });
      expect(under.status).toBe(404);
    });

    test(SENTENCES.streamKey, async () => {
      const key = await service().key('pro');
      const [first] = await connectStream(host(), `api_key=${key}`).received(1);
      expect(first.type).toBe('connected');
      const inHeader = await refusedStream(host(), '', { authorization: `Bearer ${key}` });
      expect(inHeader.status).toBe(401);
    });

    test.each([
      ['free', []],
      ['pro', ['connected']],
      ['enterprise', ['connected']],
    ] as const)(`${SENTENCES.streams} %s`, async (tier, types) => {
      const { received, frames, closed } = await connect(tier);
      await (types.length === 0 ? closed : received(1));
      expect(frames.map(({ type }) => type)).toEqual(types);
    });

    test(`${SENTENCES.streamJson} ${SENTENCES.streamConnected}`, async () => {
      const { received, socket } = await connect('pro');
      await received(1);
      await publish();
      socket.send('ping');
      const frames = await received(3);
      expect(frames[0]).toEqual({
        ...{ type: 'connected', message: expect.any(String), tier: 'pro' },
        ...BESIDES,
      });
      expect(frames.slice(1).map(({ type }) => type)).toEqual(['alert', 'pong']);
    });

    test(`${SENTENCES.streamAlert} ${SENTENCES.streamFields}`, async () => {
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

    test(`${SENTENCES.streamPing} ${SENTENCES.streamPong}`, async () => {
      const { received, socket } = await connect('pro');
      await received(1);
      for (let count = 2; count <= 4; count += 1) {
        socket.send('ping');
        expect((await received(count)).at(-1)).toEqual({ type: 'pong', ...BESIDES });
      }
    });

    test(SENTENCES.streamFree, async () => {
      const { frames, closed } = await connect('free');
      expect(await closed).toMatchObject({ code: 4403 });
      expect(frames).toEqual([]);
    });
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

  test(`${SENTENCES.streamWindow} ${SENTENCES.streamDropped} ${SENTENCES.streamKeepAlive}`, async () => {
    const { clock, socket, closed, received } = await connected();
    await clock.advance(29_000);
    // Any other message keeps nothing alive, but is answered while the socket is open.
    socket.send('hello');
    expect((await received(2)).at(-1)).toMatchObject({ type: 'error' });
    await clock.advance(2_000);
    expect(await closed).toMatchObject({ code: 4408 });
  });

  test.each([20, 25])(`${SENTENCES.streamInterval} %i`, async (seconds) => {
    const { clock, socket, received } = await connected();
    for (let count = 2; count <= 7; count += 1) {
      await clock.advance(seconds * 1_000);
      socket.send('ping');
      expect((await received(count)).at(-1)).toEqual({ type: 'pong', ...BESIDES });
    }
  });
});

test(SENTENCES.streamBackoff, async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const standIn = await startStandIn();
  standIn.handshakeStatus = 503;
  const waits: number[] = [];
  const stop = new AbortController();
  const following = followAlerts({
    url: standIn.url,
    apiKey: 'sk_live_test',
    onAlert: () => {},
    signal: stop.signal,
    async wait(ms) {
      if (waits.push(ms) === 7) standIn.handshakeStatus = null;
      if (waits.length === 8) stop.abort();
    },
  });
  const socket = await standIn.connection();
  socket.send({ type: 'connected', message: 'Send ping.', tier: 'pro' });
  socket.close(1001);
  await following;
  vi.restoreAllMocks();
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 1_000]);
});

type TlsProxy = Awaited<ReturnType<typeof startTlsProxy>>;

/** Takes TLS on 127.0.0.1 and passes what is inside to a plain port: the service as https and wss, for one. */
async function startTlsProxy(certificate: ServerCertificate, target: { host: string; port: number }) {
  const open = new Set<Socket>();
  const server = createServer(
    { ...certificate, ALPNProtocols: ['http/1.1'], allowHalfOpen: true },
    (near) => {
      link(near, connect({ ...target, allowHalfOpen: true }));
    },
  );
  server.on('tlsClientError', () => {});
  server.on('connection', keep);

  function keep(socket: Socket): void {
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
  }
  function link(near: TLSSocket, far: Socket): void {
    keep(far);
    for (const [from, to] of [[near, far] as const, [far, near] as const]) {
      from.on('error', () => {});
      from.on('close', () => to.destroySoon());
      from.pipe(to);
    }
  }
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise((done) => server.close(done));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
