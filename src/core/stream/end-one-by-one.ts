import type { Clock } from '../clock.ts';

/** How long the clients of a process that stops are let go over, milliseconds: 5 each, 3 s for all at most. */
const EACH_MS = 5;
const ALL_MS = 3_000;
const STEP_MS = 50;

/** How those who are ended are ended. */
interface EndDeps<Client> {
  readonly clock: Pick<Clock, 'sleep'>;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  readonly end: (client: Client) => void;
  /** Aborts when nobody is left. */
  readonly signal: AbortSignal;
}

/** Ends everybody in random order, spread evenly, so that they do not all come back at once. Those who leave are let go. */
export async function endOneByOne<Client>(
  clients: ReadonlySet<Client>,
  { clock, random, end, signal }: EndDeps<Client>,
): Promise<void> {
  const order = [...clients]
    .map((client) => ({ client, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ client }) => client);
  const steps = Math.ceil(Math.min(ALL_MS, order.length * EACH_MS) / STEP_MS);
  const share = Math.ceil(order.length / Math.max(1, steps));
  for (let at = 0; at < order.length; at += share) {
    if (at > 0) await clock.sleep(STEP_MS, signal);
    for (const client of order.slice(at, at + share)) if (clients.has(client)) end(client);
  }
}
