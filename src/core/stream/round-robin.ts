/** Cost of one slice, in the units that `serve` returns: some milliseconds of the event loop. */
const SLICE = 125;

/** Serves clients in turn, in slices, so that the event loop is not blocked. A client taken again while it is served comes last. */
export class RoundRobin<Client> {
  readonly #defer: (task: () => void) => void;
  readonly #serve: (client: Client) => number;
  readonly #waiting = new Set<Client>();
  #isScheduled = false;

  /** `defer` runs a task in a later turn of the event loop. `serve` returns its cost, 1 or more. */
  constructor(defer: (task: () => void) => void, serve: (client: Client) => number) {
    this.#defer = defer;
    this.#serve = serve;
  }

  /** Serves all clients; the first slice before this returns. */
  takeAll(clients: Iterable<Client>): void {
    for (const client of clients) this.#waiting.add(client);
    if (!this.#isScheduled) this.#runSlice();
  }

  /** Serves the client in a later turn of the event loop. */
  take(client: Client): void {
    this.#waiting.add(client);
    this.#schedule();
  }

  forget(client: Client): void {
    this.#waiting.delete(client);
  }

  #runSlice(): void {
    let left = SLICE;
    for (const client of this.#waiting) {
      if (left <= 0) break;
      this.#waiting.delete(client);
      left -= this.#serve(client);
    }
    if (this.#waiting.size > 0) this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#defer(() => {
      this.#isScheduled = false;
      this.#runSlice();
    });
  }
}
