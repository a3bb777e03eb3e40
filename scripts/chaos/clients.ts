import { createTipoff } from '../../clients/typescript/src/index.ts';
import { repeatedly } from '../support/repeatedly.ts';

const PROBE_EVERY_MS = 200;
const PATIENCE_MS = 60_000;
const ROUTES = ['/api/v1/alerts/latest?limit=5', '/api/v1/me', '/api/v1/alerts?min_score=60', '/readyz'];

/** The client that users have, on the stream. `received`: each alert that it was sent, in order. */
export function followStream(url: string, apiKey: string) {
  const received: { readonly id: number }[] = [];
  const stopping = new AbortController();
  const following = (async () => {
    const options = { sinceId: 0, signal: stopping.signal };
    for await (const alert of createTipoff({ url, apiKey }).follow(options)) received.push(alert);
  })();
  return {
    received,
    stop(): Promise<void> {
      stopping.abort();
      return following;
    },
  };
}

/** Asks one route after another all the time. */
export function startProbes(address: string, key: string) {
  const answers: { readonly route: string; readonly status: number; readonly ms: number }[] = [];
  let asked = 0;
  const stop = repeatedly(PROBE_EVERY_MS, async () => {
    const route = ROUTES[asked++ % ROUTES.length] ?? '';
    const startedAt = performance.now();
    const headers = { authorization: `Bearer ${key}` };
    const signal = AbortSignal.timeout(PATIENCE_MS);
    // 0: the connection failed.
    const status = await fetch(address + route, { headers, signal })
      .then((response) => response.arrayBuffer().then(() => response.status))
      .catch(() => 0);
    answers.push({ route, status, ms: performance.now() - startedAt });
  });
  return {
    /** The answers since the last call. */
    taken: () => answers.splice(0),
    stop,
  };
}
