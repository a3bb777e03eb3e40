import type { Clock } from '../clock.ts';

/** 5 ms for each client, at most 3 s for all of them. */
const PER_CLIENT_MS = 5;
const TOTAL_MS = 3_000;
const STEP_MS = 50;

interface EndOptions<Client> {
  readonly clock: Pick<Clock, 'sleep'>;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  readonly end: (client: Client) => void;
  /** Aborts when no client is left. */
  readonly signal: AbortSignal;
}

/** Ends all clients in random order, evenly spread, so that they do not reconnect at the same time. */
export async function endOneByOne<Client>(
  clients: ReadonlySet<Client>,
  { clock, random, end, signal }: EndOptions<Client>,
): Promise<void> {
  const order = [...clients]
    .map((client) => ({ client, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ client }) => client);
  const steps = Math.ceil(Math.min(TOTAL_MS, order.length * PER_CLIENT_MS) / STEP_MS);
  const share = Math.ceil(order.length / Math.max(1, steps));
  for (let at = 0; at < order.length; at += share) {
    if (at > 0) await clock.sleep(STEP_MS, signal);
    for (const client of order.slice(at, at + share)) if (clients.has(client)) end(client);
  }
}
