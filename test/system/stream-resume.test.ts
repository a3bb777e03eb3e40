import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createTipoff } from '../../clients/typescript/src/index.ts';
import { onRunningService } from '../conformance/service.ts';
import { alertOf } from '../support/alerts.ts';
import { seededRandom } from '../support/random.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

const KILLS = 200;
const ALERTS = 2_000;
/** Right after the handshake, during the replay, or while alerts flow. */
const KILLED_WITHIN_MS = 20;
const SEED = 20_261_121;
/** It takes about 10 seconds; a machine that does much else may take its time. */
const PATIENCE_MS = 90_000;

const turn = () => new Promise<void>((next) => setImmediate(next));

/** A client whose process is killed now and then: the next one begins with the last id that is done. */
function startClient(options: { readonly url: string; readonly apiKey: string }, sinceId: number) {
  const done: number[] = [];
  const faults: unknown[] = [];
  let stop = new AbortController();
  const tipoff = createTipoff({ ...options, wait: turn });
  const run = async () => {
    try {
      for await (const { id } of tipoff.follow({ sinceId: done.at(-1) ?? sinceId, signal: stop.signal })) {
        if (id % 3 === 0) await turn();
        done.push(id);
      }
    } catch (error) {
      faults.push(error);
    }
  };
  let running = run();
  const end = () => {
    stop.abort();
    return running;
  };
  return {
    done,
    faults,
    end,
    async restart() {
      await end();
      stop = new AbortController();
      running = run();
    },
  };
}

onRunningService('resume over real sockets', (service) => {
  test('a client killed and disconnected 200 times at random while 2,000 alerts flow receives every id exactly once, in order', {
    timeout: PATIENCE_MS,
  }, async () => {
    const random = seededRandom(SEED);
    const { address, call, clock, key, publish } = service();
    const apiKey = await key('enterprise', 'Killed');
    const first = (await call('/alerts/latest?limit=1', { key: apiKey })).body[0].id + 1;
    const proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(address).port) });
    onTestFinished(() => proxy.close());
    const client = startClient({ url: `ws://127.0.0.1:${proxy.port}`, apiKey }, first - 1);
    onTestFinished(client.end);
    const ids = Array.from({ length: ALERTS }, (_, index) => first + index);
    const kills = Map.groupBy(
      Array.from({ length: KILLS }, () => Math.floor(random() * ALERTS)),
      (at) => at,
    );

    const doneAtKills = new Set<number>();
    for (const [index, id] of ids.entries()) {
      await publish(alertOf({ id, createdAt: clock.now() }));
      if (random() < 0.2) await turn();
      for (const _ of kills.get(index) ?? []) {
        await delay(random() ** 2 * KILLED_WITHIN_MS);
        doneAtKills.add(client.done.length);
        if (random() < 0.2) await client.restart();
        else proxy.cut();
        proxy.mend();
      }
    }
    // By its id, not by the count: what was left out is for the test to see.
    while (client.done.at(-1) !== ids.at(-1) && client.faults.length === 0) await turn();

    expect(client.faults).toEqual([]);
    expect(client.done).toEqual(ids);
    // Some lives were too short for an alert, many were not.
    expect(doneAtKills.size).toBeGreaterThan(20);
    expect(doneAtKills.size).toBeLessThan(KILLS);
  });
});
