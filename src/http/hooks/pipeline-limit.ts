import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Unanswered requests of one connection, the one in progress included. A client that waits for its answers has one. */
const MOST = 100;
/** Requests of all connections that were sent ahead and start in the same turn of the event loop. */
export const STARTED_PER_ITERATION = 4;

/**
 * Node starts every request that it has read from a connection in the same turn of the event loop. Here a request that was sent ahead
 * waits until the answers before it are sent, and for the next turn: connections are served round robin. A request with none
 * before it starts immediately. So does one above the limit of its connection, to be refused.
 */
export function serveInOrder(server: Server): void {
  const waiting = new WeakMap<Socket, number>();
  const starts = new StartQueue();
  const [serve] = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!isSentAhead(response)) return void serve?.call(server, request, response);
    const { socket } = request;
    const ahead = waiting.get(socket) ?? 0;
    if (ahead >= MOST - 1) return void serve?.call(server, request, response);
    waiting.set(socket, ahead + 1);
    // Emitted when the answers before it are sent.
    response.once('socket', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      starts.add(() => void serve?.call(server, request, response));
    });
  });
}

/** Whether answers before this one are not sent yet: Node gives a response its socket then. A request that starts so is above the limit. */
export function isSentAhead({ socket }: ServerResponse): boolean {
  return socket === null;
}

class StartQueue {
  readonly #starts: (() => void)[] = [];
  #isScheduled = false;

  add(start: () => void): void {
    this.#starts.push(start);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#starts.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      for (const start of this.#starts.splice(0, STARTED_PER_ITERATION)) start();
      this.#isScheduled = false;
      this.#schedule();
    });
  }
}
