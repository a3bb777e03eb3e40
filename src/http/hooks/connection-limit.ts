import type { Server } from 'node:http';
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
  address: 'too many connections from an address: new ones are refused (MAX_CONNECTIONS_PER_ADDRESS)',
  files: 'too many open files: new connections are refused; raise the limit (ulimit -n)',
};
