import { setTimeout as wait } from 'node:timers/promises';
import websocket from '@fastify/websocket';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { callerOf, requireApiKey } from '../hooks/api-key-auth.ts';
import { KEY_IN_QUERY } from '../hooks/credential-source.ts';
import { unknownNames } from '../hooks/unknown-parameters.ts';
import type { ServerDeps } from '../server-deps.ts';
import { connectSocket } from './connect-socket.ts';
import { acquireSocketQuota, refuseOddHandshakes } from './handshake.ts';
import { type StreamQuery, streamQuerySchema } from './stream-query.ts';
import { STREAM_PATH } from './upgrade.ts';

const KNOWN = { ...streamQuerySchema.shape, api_key: true };

const LIMITS = {
  maxPayload: 64 * 1_024,
  /** Fragments of one message, and chunks of one fragment. */
  maxFragments: 64,
  maxBufferedChunks: 1_024,
  perMessageDeflate: false,
  /** Time for the client to answer a close frame. */
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
      errorHandler(error, socket, request) {
        // Protocol errors of clients are answered by `ws`, and counted by the session.
        if ((error as { code?: string }).code?.startsWith('WS_ERR_')) return;
        logger.error({ err: error, requestId: request.id, route: STREAM_PATH }, 'a socket failed');
        socket.terminate();
      },
      // Sockets are closed below.
      preClose: (done) => done(),
    });
    scope.decorateRequest('caller', null);
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
      { websocket: true, exposeHeadRoute: false, schema: { querystring: streamQuerySchema } },
      (socket, request) => {
        const { key, tier, lookup } = callerOf(request);
        const { since_id: since = null, categories, min_signal: minScore, alert_type: type } = request.query;
        const filter = {
          ...(categories !== undefined && categories.length > 0 && { categories }),
          ...(minScore !== undefined && { minScore }),
          ...(type !== undefined && { type }),
        };
        const ignored = unknownNames(request.query, KNOWN);
        onAnswer?.(STREAM_PATH, 101, 0);
        const visitor = { key, tier, lookup, since, filter, ignored };
        connectSocket(stream, { socket, raw: request.raw.socket }, visitor);
      },
    );
  };
}

/** Waits for the closing handshakes, then terminates the remaining sockets. */
async function endSockets({ websocketServer: server }: FastifyInstance): Promise<void> {
  const isEmpty = new AbortController();
  server.close(() => isEmpty.abort());
  await wait(LAST_MS, undefined, { signal: isEmpty.signal }).catch(() => {});
  for (const socket of server.clients) socket.terminate();
}
