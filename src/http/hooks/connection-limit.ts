import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LogThrottle } from '../../core/base/async/failure-log.ts';
import { ConcurrencyQuota } from '../../core/base/async/fair-queue.ts';
import type { ConnectionRefusal, OperatorDeps } from '../server-deps.ts';
import { hangUp } from './broken-requests.ts';
import { clientOf, isLoopback } from './client-address.ts';

const LOG_EVERY_MS = 60_000;
const RETRY_SECONDS = 1;
/** Refused connections that are still open: further ones are closed without an answer. */
const MOST_ANSWERED = 16;

export function limitConnections(server: Server, deps: OperatorDeps): void {
  const { connectionLimits: limits, logger, clock, onAnswer } = deps;
  if (limits === undefined) return;
  const addresses = new ConcurrencyQuota();
  const throttle = new LogThrottle(clock, LOG_EVERY_MS);
  let [open, answered] = [0, 0];

  function refuse(socket: Socket, reason: ConnectionRefusal): void {
    limits?.onRefused?.(reason);
    onAnswer?.('none', 503, 0);
    const refused = throttle.take();
    if (refused !== null) logger.warn({ reason, open, refused }, MESSAGES[reason]);
    // The client may go before it has its answer; it was counted above.
    socket.on('error', () => {});
    if (answered >= MOST_ANSWERED) return void socket.destroy();
    answered += 1;
    socket.once('close', () => {
      answered -= 1;
    });
    // What the client sends is read and dropped, or the answer would be lost with the connection.
    socket.resume();
    hangUp('503 Service Unavailable', socket, { 'retry-after': RETRY_SECONDS });
  }

  const [serve] = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const address = clientOf(socket.remoteAddress);
    const most = isLoopback(socket.remoteAddress) ? null : limits.perAddress;
    const leave = addresses.take(address, most ?? Number.POSITIVE_INFINITY);
    if (leave === null) return refuse(socket, 'address');
    open += 1;
    socket.once('close', () => {
      open -= 1;
      leave();
    });
    if (open > limits.total) return refuse(socket, 'total');
    if ((limits.filesLeft() ?? 1) <= 0) return refuse(socket, 'files');
    serve?.call(server, socket);
  });
}

const MESSAGES: Readonly<Record<ConnectionRefusal, string>> = {
  total: 'too many connections: new ones are refused (MAX_CONNECTIONS)',
  address: 'too many connections from one address: new ones are refused',
  files: 'too many open files: new connections are refused; raise the limit (ulimit -n)',
};

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
