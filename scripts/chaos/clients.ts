import { WebSocket } from 'ws';
import { repeatedly } from '../support/repeatedly.ts';

const RECONNECT_MS = 250;
const PROBE_EVERY_MS = 200;
const PATIENCE_MS = 60_000;
const ROUTES = ['/api/v1/alerts/latest?limit=5', '/api/v1/me', '/api/v1/alerts?min_score=60', '/readyz'];

/** A client of the stream that connects again where it was. `received`: each alert that was sent, in order. */
export function followStream(address: string, key: string) {
  const received: { readonly id: number }[] = [];
  const stop = repeatedly(RECONNECT_MS, async (signal) => {
    const since = received.at(-1)?.id ?? 0;
    const url = `${address.replace('http', 'ws')}/ws/alerts?api_key=${key}&since_id=${since}`;
    const socket = new WebSocket(url);
    socket.on('message', (text) => {
      const { type, data } = JSON.parse(String(text)) as { type: string; data: { id: number } };
      if (type === 'alert') received.push(data);
    });
    socket.on('error', () => {});
    const end = () => socket.terminate();
    signal.addEventListener('abort', end, { once: true });
    await new Promise<void>((closed) => socket.on('close', () => closed()));
    signal.removeEventListener('abort', end);
  });
  return { received, stop };
}

export interface Answer {
  readonly route: string;
  /** 0: the connection failed. */
  readonly status: number;
  readonly ms: number;
}

/** Asks one route after another all the time, and does not wait for answers. */
export function startProbes(address: string, key: string) {
  const answers: Answer[] = [];
  const open = new Set<Promise<void>>();
  let asked = 0;
  const ask = async (route: string) => {
    const startedAt = performance.now();
    const headers = { authorization: `Bearer ${key}` };
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const status = await fetch(address + route, { headers, signal }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => 0,
    );
    answers.push({ route, status, ms: performance.now() - startedAt });
  };
  const stopAsking = repeatedly(PROBE_EVERY_MS, () => {
    const answered = ask(ROUTES[asked % ROUTES.length] ?? '').then(() => void open.delete(answered));
    asked += 1;
    open.add(answered);
  });
  return {
    /** The answers since the last call. */
    async taken(): Promise<readonly Answer[]> {
      await Promise.all(open);
      return answers.splice(0);
    },
    async stop(): Promise<void> {
      await stopAsking();
      await Promise.all(open);
    },
  };
}
