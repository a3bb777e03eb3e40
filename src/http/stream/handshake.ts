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

/** Before the key is looked at: what is no handshake, or comes at the wrong time. */
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
 * After everything that waits: takes one of the key's places, which is given back with the connection. From here to
 * the open socket nothing waits, so that no two handshakes share a place.
 */
export function acquireSocketQuota({ stream }: Pick<ServerDeps, 'stream'>): Hook {
  const quota = new ConcurrencyQuota();
  return (request, reply, done) => {
    const { socket } = request.raw;
    // Its end was told already, to nobody.
    if (socket.destroyed) return void reply.hijack();
    if (!stream.isOpen) return void sendUnavailable(reply, OPENING_SECONDS);
    const { key, tier, policy } = callerOf(request);
    // A free key is told on the socket that it has no stream.
    if (!policy.hasStream) return done();
    const leave = quota.take(key.id, policy.maxSockets);
    if (leave === null) {
      const detail = `Too many sockets. ${tier} tier: ${policy.maxSockets} at once. Close one first.`;
      return void reply.code(429).header('retry-after', TAKEN_SECONDS).send({ detail });
    }
    socket.once('close', leave);
    done();
  };
}

function askForUpgrade(reply: FastifyReply, detail: string): void {
  void reply.code(426).headers({ upgrade: 'websocket', connection: 'upgrade, close' }).send({ detail });
}
