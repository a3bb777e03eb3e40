import { Agent, request } from 'undici';
import { alertJson } from '../../../src/http/alert-view.ts';
import { sampleAlert } from '../sample-alerts.ts';

export interface BareOrder {
  readonly urls: readonly string[];
  readonly alerts: number;
  readonly atOnce: number;
  readonly connectionsPerHost: number;
}

export interface BareAnswer {
  readonly cpuSeconds: number;
}

let agent: Agent | null = null;

process.on('message', (order: BareOrder) => {
  void post(order).then((answer) => process.send?.(answer));
});

/** Every alert to every address, so many at once, with nothing around it. */
async function post({ urls, alerts, atOnce, connectionsPerHost }: BareOrder): Promise<BareAnswer> {
  agent ??= new Agent({ connections: connectionsPerHost, pipelining: 1, allowH2: false });
  const dispatcher = agent;
  const before = process.cpuUsage();
  let next = 0;
  const one = async (): Promise<void> => {
    for (let at = next++; at < urls.length * alerts; at = next++) {
      const { statusCode, body } = await request(urls[at % urls.length] ?? '', {
        dispatcher,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: alertJson(sampleAlert(1 + Math.floor(at / urls.length))),
      });
      await body.dump();
      if (statusCode !== 200) throw new Error(`a receiver answered ${statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  const { user, system } = process.cpuUsage(before);
  return { cpuSeconds: (user + system) / 1e6 };
}
