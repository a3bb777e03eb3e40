import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type onResponseHookHandler,
} from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { registerApi } from './api.ts';
import { describeApi } from './documents/describe-api.ts';
import { answerOddRequests, createBrokenRequestAnswer } from './hooks/broken-requests.ts';
import { createErrorHandler, REFUSALS, sendUnavailable } from './hooks/errors.ts';
import { toFastifyLogger } from './hooks/fastify-logger.ts';
import { createMissingRouteHandler } from './hooks/missing-route.ts';
import { createPipelineLimit } from './hooks/pipeline-limit.ts';
import { createAddressLimit } from './hooks/rate-limit.ts';
import { createRequestIds } from './hooks/request-id.ts';
import { trackRoutes } from './hooks/route-table.ts';
import { standingHeaders } from './hooks/security-headers.ts';
import { listUnknownParameters } from './hooks/unknown-parameters.ts';
import { registerDocs } from './routes/docs.ts';
import { registerHealthz } from './routes/healthz.ts';
import { registerLlms } from './routes/llms.ts';
import { registerLogFiles } from './routes/log-files.ts';
import { registerMetrics } from './routes/metrics.ts';
import { registerReadyz } from './routes/readyz.ts';
import { validatorCompiler } from './schemas/validation.ts';
import type { ServerDeps } from './server-deps.ts';
import { registerStream } from './stream/register-stream.ts';
import { isStreamUpgrade } from './stream/upgrade.ts';

const PIPELINE_RETRY_SECONDS = 1;
const BODY_BYTES = 64 * 1_024;
const HEADERS_MS = 10_000;
/** How often Node looks for connections that are over their time. */
const CHECK_MS = 5_000;
const REQUEST_MS = 30_000;
const SILENCE_MS = 60_000;
const KEEP_ALIVE_MS = 65_000;

/** The HTTP server, not listening yet. Closing it lets running requests finish. */
export function createServer(deps: ServerDeps): FastifyInstance {
  const handleError = createErrorHandler(deps);
  const app = Fastify({
    loggerInstance: toFastifyLogger(deps.logger),
    // Answers are counted, failures logged by the error handler: a line for every request is paid by every request.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: createRequestIds(),
    trustProxy: trusted(deps.trustProxy),
    bodyLimit: BODY_BYTES,
    requestTimeout: REQUEST_MS,
    connectionTimeout: SILENCE_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // A request without a host is refused below, in the same shape as everything. One that asks for a protocol nobody
    // speaks is a request like any other.
    http: {
      headersTimeout: HEADERS_MS,
      connectionsCheckingInterval: CHECK_MS,
      requireHostHeader: false,
      shouldUpgradeCallback: isStreamUpgrade,
    },
    // A request that meets a closing server is answered like any other; its connection is closed after it.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1_024 },
    // Errors of the router come before any hook.
    frameworkErrors(error, request, reply) {
      void handleError(error, request, reply.headers(standingHeaders(request.raw)));
      deps.onAnswer?.('none', reply.statusCode, 0);
    },
    clientErrorHandler: createBrokenRequestAnswer(deps),
  });
  // Every body is JSON: plain text is refused like any other type.
  app.removeContentTypeParser('text/plain');
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(handleError);
  const routes = trackRoutes(app);
  const answerMissingRoute = createMissingRouteHandler(routes, deps);
  app.setNotFoundHandler(answerMissingRoute);
  answerOddRequests(app.server, deps);
  watchRequests(app, deps, answerMissingRoute);
  registerHealthz(app);
  registerReadyz(app, deps);
  registerMetrics(app, deps);
  const describe = describeApi(app);
  app.register(async (open) => {
    open.addHook('onRequest', createAddressLimit(deps));
    registerDocs(open);
    registerLlms(open, describe);
    registerLogFiles(open, deps);
  });
  app.register(registerApi(deps, describe), { prefix: '/api/v1' });
  app.register(registerStream(deps));
  return app;
}

/** Every answer bears its request's id, is counted by its route, and told to the log when it is a refusal. */
function watchRequests(
  app: FastifyInstance,
  { onAnswer, logger }: ServerDeps,
  answerMissingRoute: (request: FastifyRequest, reply: FastifyReply) => FastifyReply,
): void {
  const pipeline = createPipelineLimit();
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    // Who hung up reads no answer: what was sent ahead is not worked through.
    if (raw.socket.destroyed) return void reply.hijack();
    reply.header('x-request-id', request.id).headers(standingHeaders(raw));
    // Answered before a body is read: what it holds does not matter where nobody wants it.
    if (request.is404) return void answerMissingRoute(request, reply);
    listUnknownParameters(request, reply);
    const isWithin = pipeline.enter(raw.socket);
    if (isWithin && (raw.headers.host !== undefined || raw.httpVersion !== '1.1')) return done();
    reply.header('connection', 'close');
    if (isWithin) void reply.code(400).send({ detail: REFUSALS[400] });
    else void sendUnavailable(reply, PIPELINE_RETRY_SECONDS);
  });
  // A hook a route, as asking a request for its route makes an object each time.
  app.addHook('onRoute', (route) => {
    const { url } = route;
    const tell: onResponseHookHandler = ({ id: requestId, method, raw }, reply, done) => {
      pipeline.leave(raw.socket);
      const { statusCode: status } = reply;
      onAnswer?.(url, status, reply.elapsedTime);
      if (status >= 400) logger.debug({ requestId, method, route: url, status }, 'request refused');
      done();
    };
    route.onResponse = [tell, ...[route.onResponse ?? []].flat()];
  });
}

/** Fastify trusts nobody when given a number; the nearest so many hops are what it means. */
function trusted(setting: ServerDeps['trustProxy']) {
  return typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting;
}
