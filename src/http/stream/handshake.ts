import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { ConcurrencyQuota } from '../../core/limits/concurrency-quota.ts';
import { callerOf } from '../hooks/api-key-auth.ts';
import { sendUnavailable } from '../hooks/errors.ts';
import type { ServerDeps } from '../server-deps.ts';

const PLAIN = 'This is a WebSocket. Connect to it with a WebSocket client: /ws/alerts?api_key=<API_KEY>.';
const NO_KEY = 'The header Sec-WebSocket-Key is missing or wrong.';
const VERSION = '13';
/** 16 bytes in base64 (RFC 6455, section 4.1). */
const SOCKET_KEY = /^[+/0-9A-Za-z]{22}==$/;
const OPENING_SECONDS = 1;
const TAKEN_SECONDS = 10;

type Hook = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void;

/** Runs before the key check. Refuses invalid handshakes, and all of them while the stream is closed. */
export function refuseOddHandshakes({ stream }: Pick<ServerDeps, 'stream'>): Hook {
  return (request, reply, done) => {
    const { headers } = request;
    reply.header('connection', 'close');
    if (!request.ws) return askForUpgrade(reply, PLAIN);
    if (!stream.isOpen) return void sendUnavailable(reply, OPENING_SECONDS);
    if (!SOCKET_KEY.test(headers['sec-websocket-key'] ?? '')) {
      return void reply.code(400).send({ detail: NO_KEY });
    }
    if (headers['sec-websocket-version'] !== VERSION) {
      reply.header('sec-websocket-version', VERSION);
      return askForUpgrade(reply, `WebSocket version ${VERSION} is spoken here.`);
    }
    done();
  };
}

/**
 * Runs after all asynchronous hooks. Takes one of the key's sockets, which is released with the connection. Nothing waits between
 * this hook and the open socket, so that concurrent handshakes cannot exceed the quota.
 */
export function acquireSocketQuota({ stream }: Pick<ServerDeps, 'stream'>): Hook {
  const quota = new ConcurrencyQuota();
  return (request, reply, done) => {
    const { socket } = request.raw;
    // The connection has closed: its `close` event was emitted before.
    if (socket.destroyed) return void reply.hijack();
    if (!stream.isOpen) return void sendUnavailable(reply, OPENING_SECONDS);
    const { key, tier, policy } = callerOf(request);
    // The socket of a free key is opened and closed with 4403.
    if (!policy.hasStream) return done();
    const leave = quota.take(key.id, policy.maxSockets);
    if (leave === null) {
      const detail = `Too many sockets. ${tier} tier: ${policy.maxSockets} open. Close one first.`;
      return void reply.code(429).header('retry-after', TAKEN_SECONDS).send({ detail });
    }
    socket.once('close', leave);
    done();
  };
}

function askForUpgrade(reply: FastifyReply, detail: string): void {
  void reply.code(426).headers({ upgrade: 'websocket', connection: 'upgrade, close' }).send({ detail });
}
