import { repeatedly } from '../support/repeatedly.ts';

export interface Answer {
  readonly route: string;
  readonly status: number;
  readonly hasRetryAfter: boolean;
  readonly askedAt: number;
  readonly ms: number;
}

const PATIENCE_MS = 120_000;

export async function ask(address: string, route: string, key: string): Promise<Answer> {
  const askedAt = performance.now();
  const answered = (status: number, hasRetryAfter: boolean): Answer => ({
    ...{ route, status, hasRetryAfter, askedAt },
    ms: performance.now() - askedAt,
  });
  try {
    const headers = { authorization: `Bearer ${key}` };
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(`${address}${route}`, { headers, signal });
    await response.arrayBuffer();
    return answered(response.status, response.headers.has('retry-after'));
  } catch {
    return answered(0, false);
  }
}

const ROUTES: readonly (() => string)[] = [
  () => '/api/v1/alerts/latest?limit=5',
  () => '/api/v1/me',
  () => '/api/v1/alerts/1',
  // Another filter each time, of which no count is kept.
  () => `/api/v1/alerts?min_score=${Math.floor(Math.random() * 60)}&min_usdc=${Math.random() * 100}`,
  () => '/api/v1/stats',
  () => '/api/v1/hot-markets',
];

export type Probes = ReturnType<typeof createProbes>;

export function createProbes(address: string, key: string) {
  const answers: Answer[] = [];
  const open = new Set<Promise<void>>();
  let stops: readonly (() => Promise<void>)[] = [];
  const answered = () => Promise.all(open);
  const askEach = (everyMs: number, route: () => string) =>
    repeatedly(everyMs, () => {
      const asked = ask(address, route(), key).then((answer) => {
        answers.push(answer);
        open.delete(asked);
      });
      open.add(asked);
    });
  return {
    answers: answers as readonly Answer[],
    answered,
    start(everyMs: number): void {
      let n = 0;
      stops = [
        askEach(everyMs, () => (ROUTES[n++ % ROUTES.length] as () => string)()),
        askEach(everyMs * 2, () => '/readyz'),
        askEach(everyMs * 2, () => '/healthz'),
      ];
    },
    async stop(): Promise<void> {
      await Promise.all(stops.map((stop) => stop()));
      await answered();
    },
  };
}
