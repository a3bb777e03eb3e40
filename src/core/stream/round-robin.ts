/** What is done in one go, in the units that `serve` counts: some milliseconds of the loop. */
const SLICE = 125;

/** Serves clients in turn, a slice at a time, so that the loop is never held up for long. */
export interface RoundRobin<Client> {
  /** Serves everybody; the first slice before this returns. */
  takeAll(clients: Iterable<Client>): void;
  /** Serves the client at a later turn of the loop. */
  take(client: Client): void;
  forget(client: Client): void;
}

interface RoundRobinDeps<Client> {
  /** Runs a task at a later turn of the loop. */
  readonly defer: (task: () => void) => void;
  /** Returns what it took: 1 or more. */
  readonly serve: (client: Client) => number;
}

/** Turns that nobody waits for. Whoever is taken again while being served comes after all the others. */
export function createRoundRobin<Client>({ defer, serve }: RoundRobinDeps<Client>): RoundRobin<Client> {
  const waiting = new Set<Client>();
  let isScheduled = false;

  function runSlice(): void {
    let left = SLICE;
    for (const client of waiting) {
      if (left <= 0) break;
      waiting.delete(client);
      left -= serve(client);
    }
    if (waiting.size > 0) schedule();
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    defer(() => {
      isScheduled = false;
      runSlice();
    });
  }

  return {
    takeAll(clients) {
      for (const client of clients) waiting.add(client);
      if (!isScheduled) runSlice();
    },
    take(client) {
      waiting.add(client);
      schedule();
    },
    forget: (client) => void waiting.delete(client),
  };
}
