import { Agent, request } from 'undici';
import { alertJson } from '../../../src/http/views/alert-view.ts';
import { sampleAlert } from '../sample-alerts.ts';

export interface BareOrder {
  readonly urls: readonly string[];
  readonly alert: number;
  readonly atOnce: number;
  readonly connectionsPerHost: number;
  readonly keepAliveMs: number;
}

export interface BareAnswer {
  readonly cpuSeconds: number;
}

let agent: Agent | null = null;

process.on('message', (order: BareOrder) => {
  void post(order).then((answer) => process.send?.(answer));
});

/** One alert to every address, so many at a time, with nothing around it. */
async function post({ urls, alert, atOnce, ...bounds }: BareOrder): Promise<BareAnswer> {
  agent ??= new Agent({
    connections: bounds.connectionsPerHost,
    keepAliveTimeout: bounds.keepAliveMs,
    pipelining: 1,
    allowH2: false,
  });
  const body = alertJson(sampleAlert(alert));
  const dispatcher = agent;
  const before = process.cpuUsage();
  let next = 0;
  const one = async (): Promise<void> => {
    for (let at = next++; at < urls.length; at = next++) {
      const answer = await request(urls[at] ?? '', {
        dispatcher,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`a receiver answered ${answer.statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  const { user, system } = process.cpuUsage(before);
  return { cpuSeconds: (user + system) / 1e6 };
}
