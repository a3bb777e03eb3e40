import { afterEach, expect, onTestFinished, test } from 'vitest';
import { createTipoff } from '../../clients/typescript/src/index.ts';
import { onRunningService, type RunningService } from '../conformance/service.ts';
import { alertOf } from '../support/alerts.ts';
import { createMessageChecker, type StreamDocument } from '../support/asyncapi-checker.ts';
import { type CuttingProxy, type Fate, startCuttingProxy } from '../support/cutting-proxy.ts';
import { seededRandom } from '../support/random.ts';
import { createAuthority, trust } from '../support/tls/authority.ts';
import { startTlsProxy } from '../support/tls/tls-proxy.ts';

const KILLS = 200;
const ALERTS = 2_000;
const SEED = 20_261_121;
/** It takes about 10 seconds; a machine that does much else may take its time. */
const PATIENCE_MS = 90_000;
/** Certificates are made and judged by the real time: before the suite stops its clock. */
const authority = await createAuthority();
const certificate = await authority.issue({ names: ['localhost', '127.0.0.1'] });

const turn = () => new Promise<void>((next) => setImmediate(next));

/** What the service itself sent, connection by connection, before the client judged it. */
interface Tapped {
  readonly sinceId: number;
  readonly frames: { readonly type: string; readonly data?: { readonly id: number } }[];
}

const WebSocketOfNode = globalThis.WebSocket;
afterEach(() => {
  globalThis.WebSocket = WebSocketOfNode;
});

function tapSockets(): Tapped[] {
  const tapped: Tapped[] = [];
  globalThis.WebSocket = class extends WebSocketOfNode {
    constructor(address: string | URL) {
      super(address);
      const frames: Tapped['frames'] = [];
      tapped.push({ sinceId: Number(new URL(address).searchParams.get('since_id')), frames });
      this.addEventListener('message', ({ data }) => frames.push(JSON.parse(data)));
    }
  };
  return tapped;
}

/** A client whose process is killed now and then: the next one begins with the last id that is done. */
function startClient(options: { readonly url: string; readonly apiKey: string }, sinceId: number) {
  const done: number[] = [];
  const faults: unknown[] = [];
  const failure = Promise.withResolvers<void>();
  let stop = new AbortController();
  const tipoff = createTipoff({ ...options, wait: turn });
  const run = async () => {
    for await (const { id } of tipoff.follow({ sinceId: done.at(-1) ?? sinceId, signal: stop.signal })) {
      if (id % 3 === 0) await turn();
      done.push(id);
    }
  };
  const begin = () =>
    run().catch((error: unknown) => {
      faults.push(error);
      failure.resolve();
    });
  let running = begin();
  const end = () => {
    stop.abort();
    return running;
  };
  return {
    done,
    faults,
    failed: failure.promise,
    end,
    async killAndRestart() {
      await end();
      stop = new AbortController();
      running = begin();
    },
  };
}

/** Ends connections right after the handshake, in the middle of frames, during the replay, and while alerts flow. */
function fates(random: () => number): () => Fate {
  const upTo = (most: number) => Math.ceil(random() * most);
  return () => ({
    bytes: random() < 0.3 ? upTo(600) : upTo(40_000),
    afterMs: upTo(60),
    isReset: random() < 0.5,
  });
}

async function newestId({ call }: RunningService, key: string): Promise<number> {
  return (await call('/alerts/latest?limit=1', { key })).body[0].id;
}

/** Publishes while connections die, and returns what the client and the wire saw. */
async function flowUnderFire(
  service: RunningService,
  {
    kills,
    alerts,
    reach,
  }: { kills: number; alerts: number; reach: (proxy: CuttingProxy) => Promise<string> },
) {
  const random = seededRandom(SEED);
  const nextFate = fates(random);
  const key = await service.key('enterprise', 'Killed');
  const first = (await newestId(service, key)) + 1;
  const through: number[] = [];
  let restarts = 0;
  let told = () => {};
  const killed = () => restarts + through.length;
  const proxy = await startCuttingProxy(
    { host: '127.0.0.1', port: Number(new URL(service.address).port) },
    {
      fate: () => (killed() < kills ? nextFate() : null),
      onCut(bytes) {
        through.push(bytes);
        told();
      },
    },
  );
  onTestFinished(() => proxy.close());
  const tapped = tapSockets();
  const client = startClient({ url: await reach(proxy), apiKey: key }, first - 1);
  onTestFinished(client.end);
  for (let published = 0; client.faults.length === 0 && (published < alerts || killed() < kills); ) {
    const due = Math.ceil((alerts * (killed() + 1)) / kills);
    while (published < Math.min(due, alerts)) {
      await service.publish(alertOf({ id: first + published, createdAt: service.clock.now() }));
      published += 1;
      if (random() < 0.2) await turn();
      if (random() > 0.02 || killed() >= kills) continue;
      restarts += 1;
      await client.killAndRestart();
    }
    if (killed() >= kills) continue;
    const nextKill = new Promise<void>((resolve) => {
      told = resolve;
    });
    await Promise.race([nextKill, client.failed]);
  }
  // By its id, not by the count: what was left out is for the test to see.
  while (client.done.at(-1) !== first + alerts - 1 && client.faults.length === 0) await turn();
  await client.end();
  return { first, client, tapped, through, restarts };
}

onRunningService('resume over real sockets', (service) => {
  async function check({ kills, alerts, reach }: Parameters<typeof flowUnderFire>[1]) {
    const { first, client, tapped, through, restarts } = await flowUnderFire(service(), {
      kills,
      alerts,
      reach,
    });
    expect(client.faults).toEqual([]);
    expect(client.done).toEqual(Array.from({ length: alerts }, (_, index) => first + index));
    expect(through.length + restarts).toBeGreaterThanOrEqual(kills);

    const document = (await service().call('/asyncapi.json')).body as StreamDocument;
    const checkMessage = createMessageChecker(document);
    for (const { sinceId, frames } of tapped) {
      const [greeting, ...alertFrames] = frames.filter(({ type }) => type !== 'pong');
      if (greeting !== undefined) expect(greeting.type).toBe('connected');
      const ids = alertFrames.map(({ data }) => data?.id);
      expect(ids, `after ${sinceId}`).toEqual(ids.map((_, index) => sinceId + 1 + index));
      expect(frames.map((frame) => checkMessage(frame)).filter((problem) => problem !== null)).toEqual([]);
    }
    return { through, restarts, tapped };
  }

  test('a client killed and reconnected 200 times at random while 2,000 alerts flow receives every id exactly once, in order', {
    timeout: PATIENCE_MS,
  }, async () => {
    const reach = async ({ port }: CuttingProxy) => `ws://127.0.0.1:${port}`;
    const { through, restarts, tapped } = await check({ kills: KILLS, alerts: ALERTS, reach });
    const beforeAlerts = tapped.filter(({ frames }) => frames.length < 2).length;
    const whileTheyFlow = tapped.filter(({ frames }) => frames.length >= 2).length;
    for (const often of [restarts, beforeAlerts, whileTheyFlow, through.length]) {
      expect(often).toBeGreaterThan(10);
    }
  });

  test('the same over wss, with a certificate of an authority that the client trusts', {
    timeout: PATIENCE_MS,
  }, async () => {
    onTestFinished(trust(authority));
    const reach = async ({ port }: CuttingProxy) => {
      const tls = await startTlsProxy(certificate, { host: '127.0.0.1', port });
      onTestFinished(tls.close);
      return `wss://localhost:${tls.port}`;
    };
    await check({ kills: 40, alerts: 400, reach });
  });
});
