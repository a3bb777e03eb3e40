import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import websocket from '@fastify/websocket';
import type {
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  HookHandlerDoneFunction,
} from 'fastify';
import { WebSocket } from 'ws';
import { EVENT_KINDS } from '../../core/alerts/numbered-events.ts';
import { ConcurrencyQuota } from '../../core/base/async/fair-queue.ts';
import { CLOSE_CODES, type StreamClose, type StreamEnd } from '../../core/delivery/stream/close-codes.ts';
import type { Frame, StreamSocket } from '../../core/delivery/stream/stream-client.ts';
import type { StreamHub, StreamRequest } from '../../core/delivery/stream/stream-hub.ts';
import { callerOf, KEY_IN_QUERY, requireApiKey } from '../hooks/api-key-auth.ts';
import { declareAudience } from '../hooks/audience.ts';
import { refuse, sendUnavailable } from '../hooks/refuse.ts';
import { unknownNames } from '../hooks/unknown-parameters.ts';
import { fieldsOf } from '../query/alert-query.ts';
import { isInvalidRequest } from '../schemas/validation.ts';
import type { ServerDeps } from '../server-deps.ts';
import { type StreamQuery, streamQuerySchema } from './frames.ts';

const KNOWN = { ...streamQuerySchema.shape, api_key: true };

const LIMITS = {
  maxPayload: 64 * 1_024,
  /** Fragments of one message, and chunks of one fragment. */
  maxFragments: 64,
  maxBufferedChunks: 1_024,
  perMessageDeflate: false,
  // The stream has no subprotocol. By default the first one offered is selected.
  handleProtocols: () => false as const,
  closeTimeout: 5_000,
};
/** Time for closing handshakes at shutdown. */
const LAST_MS = 1_000;

/** The stream, in its own scope: its hooks do not run for other requests. */
export function registerStream(deps: ServerDeps): FastifyPluginAsync {
  const { stream, logger, onAnswer } = deps;
  return async (scope) => {
    await scope.register(websocket, {
      options: LIMITS,
      errorHandler: (error, socket, { id }) => failureOf(logger, socket, id)(error),
      // Sockets are closed below.
      preClose: (done) => done(),
    });
    scope.decorateRequest('caller', null);
    declareAudience(scope, 'realtime');
    scope.addHook('onRequest', refuseOddHandshakes(deps));
    scope.addHook('onRequest', requireApiKey(deps, KEY_IN_QUERY));
    scope.addHook('preHandler', acquireSocketQuota(deps));
    // Node does not end connections that asked for an upgrade, and the plugin ends only those that reached it: a hook of the
    // server may have answered before.
    scope.addHook('onResponse', ({ raw }, _reply, done) => {
      raw.socket.destroySoon();
      done();
    });
    scope.addHook('preClose', async () => {
      await stream.close();
      await endSockets(scope);
    });
    scope.get<{ Querystring: StreamQuery }>(
      STREAM_PATH,
      {
        websocket: true,
        exposeHeadRoute: false,
        schema: { querystring: streamQuerySchema },
        // Browsers and many libraries do not show why a handshake was refused: a wrong value closes the socket, as an unknown name does.
        attachValidation: true,
      },
      (socket, request) => {
        const { key, tier, lookup } = callerOf(request);
        const asked: StreamQuery = request.validationError === undefined ? request.query : {};
        const { since_id: since = null, test: wantsSample = false, ...query } = asked;
        const filter = fieldsOf(query);
        const events = EVENT_KINDS.filter((kind) => asked[`${kind}s`]);
        const wrongQuery = wrongQueryOf(request);
        onAnswer?.(STREAM_PATH, 101, 0);
        const visitor = { key, tier, lookup, since, filter, events, wantsSample, wrongQuery };
        forgetHandshake(socket, request.raw.socket);
        socket.on('error', failureOf(logger, socket, request.id));
        connectSocket(stream, { socket, raw: request.raw.socket }, visitor);
      },
    );
  };
}

function wrongQueryOf({ query, validationError }: FastifyRequest): string | null {
  const names = unknownNames(query as object, KNOWN);
  const values = isInvalidRequest(validationError) ? validationError.problems : [];
  const words = [
    ...(names === null ? [] : [`Unknown query parameters: ${names}`]),
    ...values.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`),
  ];
  return words.length === 0 ? null : words.join('; ');
}

async function endSockets({ websocketServer: server }: FastifyInstance): Promise<void> {
  const isEmpty = new Promise((resolve) => server.close(resolve));
  await Promise.race([isEmpty, wait(LAST_MS, undefined, { ref: false })]);
  for (const socket of server.clients) socket.terminate();
}

const PLAIN = 'This is a WebSocket. Connect to it with a WebSocket client: /ws/alerts?api_key=<API_KEY>.';
const NO_KEY = 'The header Sec-WebSocket-Key is missing or wrong.';
const VERSION = '13';
/** 16 bytes in base64 (RFC 6455, section 4.1). */
const SOCKET_KEY = /^[+/0-9A-Za-z]{22}==$/;
const OPENING_SECONDS = 1;
const TAKEN_SECONDS = 10;

type Hook = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void;

/** Runs before the key check. Refuses invalid handshakes, and all of them while the stream is closed. */
function refuseOddHandshakes({ stream }: ServerDeps): Hook {
  return (request, reply, done) => {
    const { headers } = request;
    reply.header('connection', 'close');
    if (!request.ws) return askForUpgrade(reply, PLAIN);
    if (!stream.isOpen) return void sendUnavailable(reply, OPENING_SECONDS);
    if (!SOCKET_KEY.test(headers['sec-websocket-key'] ?? '')) {
      return void refuse(reply, 'invalid_handshake', NO_KEY);
    }
    if (headers['sec-websocket-version'] !== VERSION) {
      reply.header('sec-websocket-version', VERSION);
      return askForUpgrade(reply, `Only WebSocket version ${VERSION} is supported.`);
    }
    done();
  };
}

/**
 * Runs after all asynchronous hooks. Takes one of the key's sockets, which is released with the connection. Nothing waits between
 * this hook and the open socket, so that concurrent handshakes cannot exceed the quota.
 */
function acquireSocketQuota({ stream }: ServerDeps): Hook {
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
      return void refuse(reply.header('retry-after', TAKEN_SECONDS), 'too_many_sockets', detail);
    }
    socket.once('close', leave);
    done();
  };
}

function askForUpgrade(reply: FastifyReply, detail: string): void {
  reply.headers({ upgrade: 'websocket', connection: 'upgrade, close' });
  refuse(reply, 'upgrade_required', detail);
}

/** Codes for clients that do not read, or send too much: they get no more time for the closing handshake. */
const FORCED_CLOSE_CODES: readonly number[] = [CLOSE_CODES.tooSlow.code, CLOSE_CODES.tooManyMessages.code];
const FORCED_CLOSE_MS = 1_000;

const PROTOCOL_ENDS: Readonly<Record<string, StreamEnd>> = {
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: 'tooLarge',
  WS_ERR_TOO_MANY_BUFFERED_PARTS: 'tooManyParts',
  WS_ERR_INVALID_UTF8: 'notText',
};

/** Attaches an open socket to the hub. All listeners are set before this returns, so that no message after the handshake is lost. */
function connectSocket(
  hub: Pick<StreamHub, 'attach'>,
  { socket, raw }: { readonly socket: WebSocket; readonly raw: Socket },
  visitor: StreamRequest,
): void {
  const session = hub.attach(new OpenSocket(socket, raw), visitor);
  let end: StreamEnd = 'client';
  socket.on('message', (data, isBinary) => session.message(isBinary ? null : String(data)));
  socket.on('ping', () => session.controlFrame());
  socket.on('pong', () => session.controlFrame());
  socket.on('error', (error: Error & { code?: string }) => {
    if (error.code?.startsWith('WS_ERR_')) end = PROTOCOL_ENDS[error.code] ?? 'protocolError';
  });
  socket.on('close', () => session.gone(end));
  raw.on('drain', () => session.drained());
}

/** Where Node keeps the timer of `setTimeout`. It is not documented; a test sees it vanish. */
const TIMER = Object.getOwnPropertySymbols(new Socket()).find(({ description }) => description === 'timeout');

/**
 * The plugin keeps the request and its response as long as the socket is open: a third of the memory of a socket that is idle.
 * Its listener for errors must be replaced. The timer of the handshake has been cleared, but each read and write would still
 * refresh it, which takes as long as all that the stream itself does for a frame.
 */
function forgetHandshake(socket: WebSocket, raw: BusySocket): void {
  socket.removeAllListeners('error');
  raw._httpMessage?.detachSocket(raw);
  if (TIMER !== undefined) Object.assign(raw, { [TIMER]: null });
}

/** Protocol errors of clients are answered by `ws`, and counted by the session. */
function failureOf(logger: ServerDeps['logger'], socket: WebSocket, requestId: string) {
  return (error: Error & { code?: string }) => {
    if (error.code?.startsWith('WS_ERR_')) return;
    logger.error({ err: error, requestId, route: STREAM_PATH }, 'socket failed');
    socket.terminate();
  };
}

/** A class, not an object of functions: these would be made, and kept in memory, for every socket. */
class OpenSocket implements StreamSocket {
  readonly #socket: WebSocket;
  readonly #raw: Socket;

  constructor(socket: WebSocket, raw: Socket) {
    this.#socket = socket;
    this.#raw = raw;
  }

  send(frame: Frame): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#raw.write(frame);
  }

  hold(): void {
    this.#raw.cork();
  }

  release(): void {
    this.#raw.uncork();
  }

  unsentBytes(): number {
    return this.#raw.writableLength;
  }

  close({ code, reason }: StreamClose): void {
    const socket = this.#socket;
    socket.close(code, reason);
    if (!FORCED_CLOSE_CODES.includes(code)) return;
    const cut = setTimeout(() => socket.terminate(), FORCED_CLOSE_MS);
    socket.once('close', () => clearTimeout(cut));
  }
}

const STREAM_PATH = '/ws/alerts';

interface BusySocket extends Socket {
  readonly _httpMessage?: ServerResponse | null;
}

/**
 * Whether a request is upgraded. All others are handled as ordinary requests, also one that was pipelined: an upgrade would cut
 * off the pending response.
 */
export function isStreamUpgrade({ method, url = '', headers, socket }: IncomingMessage): boolean {
  const path = url.split('?', 1)[0]?.replace(/\/$/, '');
  const isIdle = ((socket as BusySocket)._httpMessage ?? null) === null;
  return method === 'GET' && path === STREAM_PATH && asksForSocket(headers) && isIdle;
}

function asksForSocket({ upgrade }: IncomingMessage['headers']): boolean {
  return upgrade?.trim().toLowerCase() === 'websocket';
}
