import type { IncomingMessage } from 'node:http';
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
import { registerLlms } from './documents/llms-text.ts';
import { declareAudience } from './hooks/audience.ts';
import { answerOddRequests, createBrokenRequestAnswer } from './hooks/broken-requests.ts';
import { limitConnections } from './hooks/connection-limit.ts';
import { createErrorHandler, sendUnavailable } from './hooks/errors.ts';
import { toFastifyLogger } from './hooks/fastify-logger.ts';
import { readJsonOnly } from './hooks/json-body.ts';
import { createMissingRouteHandler, trackRoutes } from './hooks/missing-route.ts';
import { isSentAhead, serveInOrder } from './hooks/pipeline-limit.ts';
import { createAddressLimit } from './hooks/rate-limit.ts';
import { linkExplanation, refuse } from './hooks/refuse.ts';
import { createRequestIds } from './hooks/request-id.ts';
import { standingHeaders } from './hooks/security-headers.ts';
import { listUnknownParameters } from './hooks/unknown-parameters.ts';
import { registerDocs } from './routes/docs.ts';
import { registerErrors } from './routes/errors.ts';
import { registerFeeds } from './routes/feeds.ts';
import { registerLogFiles } from './routes/log-files.ts';
import { registerHealthz, registerMetrics, registerReadyz } from './routes/readyz.ts';
import { registerRecordFiles } from './routes/record.ts';
import { registerSandbox } from './routes/sandbox.ts';
import { earlyCode, helpLink } from './schemas/error-codes.ts';
import { validatorCompiler } from './schemas/validation.ts';
import type { Api, OperatorDeps, ServerDeps } from './server-deps.ts';
import { isStreamUpgrade, registerStream } from './stream/register-stream.ts';

const PIPELINE_RETRY_SECONDS = 1;
const HOST = 'host';

const OPTIONS = {
  // Answers are counted, and failures are logged by the error handler: a log line per request would cost every request.
  logController: new LogController({ disableRequestLogging: true }),
  bodyLimit: 64 * 1_024,
  requestTimeout: 30_000,
  connectionTimeout: 60_000,
  keepAliveTimeout: 65_000,
  http: {
    headersTimeout: 10_000,
    connectionsCheckingInterval: 5_000,
    // A request without a host, or with two, is refused below, with a body like every other refusal.
    requireHostHeader: false,
    // A request for an unknown protocol is answered like any other request.
    shouldUpgradeCallback: isStreamUpgrade,
  },
  // A server that closes answers requests as usual, then closes the connection.
  return503OnClosing: false,
  forceCloseConnections: 'idle',
  routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1_024 },
} as const;

/** The HTTP server, not listening yet. Closing it lets running requests finish. */
export function createServer(deps: ServerDeps): FastifyInstance {
  const { site } = deps;
  const app = createOperatorServer(deps, site?.sendMissingPage);
  registerRoutes(app, deps);
  if (site !== null) app.addHook('preClose', () => site.close());
  return app;
}

/** The same with the operator's endpoints only: for a process without the API. `sendMissingPage`: a 404 for people. */
export function createOperatorServer(
  deps: OperatorDeps,
  sendMissingPage?: (reply: FastifyReply) => void,
): FastifyInstance {
  const handleError = createErrorHandler(deps);
  const app = Fastify({
    ...OPTIONS,
    loggerInstance: toFastifyLogger(deps.logger),
    genReqId: createRequestIds(),
    trustProxy: trusted(deps.trustProxy),
    // Errors of the router come before any hook.
    frameworkErrors(error, request, reply) {
      reply.headers({ ...standingHeaders(request.raw), ...helpLink(earlyCode(error.statusCode ?? 500)) });
      void handleError(error, request, reply);
      deps.onAnswer?.('none', reply.statusCode, 0);
    },
    clientErrorHandler: createBrokenRequestAnswer(deps),
  });
  readJsonOnly(app);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(handleError);
  const answerMissingRoute = createMissingRouteHandler(trackRoutes(app), deps, sendMissingPage);
  app.setNotFoundHandler(answerMissingRoute);
  answerOddRequests(app.server, deps);
  serveInOrder(app.server);
  limitConnections(app.server, deps);
  watchRequests(app, deps, answerMissingRoute);
  app.register(async (operator) => {
    declareAudience(operator, 'operator');
    registerHealthz(operator);
    registerReadyz(operator, deps);
    registerMetrics(operator, deps);
  });
  return app;
}

function registerRoutes(app: FastifyInstance, deps: ServerDeps): void {
  const { site } = deps;
  const describe = describeApi(app);
  app.register(async (open) => {
    declareAudience(open, 'delayed');
    open.addHook('onRequest', createAddressLimit(deps));
    registerDocs(open, { hasSite: site !== null });
    registerErrors(open, site === null ? undefined : () => site.errorsDocument(deps.publicUrl));
    registerLlms(open, describe);
    registerLogFiles(open, deps);
    registerSandbox(open);
    registerFeeds(open, deps);
    registerRecordFiles(open, deps);
  });
  app.register(registerApi(deps, describe), { prefix: '/api/v1' });
  app.register(registerStream(deps));
  if (site === null) return;
  app.register(async (open: Api) => {
    declareAudience(open, 'delayed');
    site.register(open, deps);
  });
}

/** Every answer has the id of its request, is counted by its route, and is logged at debug level if it is a refusal. */
function watchRequests(
  app: FastifyInstance,
  { onAnswer, logger }: OperatorDeps,
  answerMissingRoute: (request: FastifyRequest, reply: FastifyReply) => FastifyReply,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    // The client has disconnected: its pipelined requests are not processed.
    if (raw.socket.destroyed) return void reply.hijack();
    reply.header('x-request-id', request.id).headers(standingHeaders(raw));
    const isWithin = !isSentAhead(reply.raw);
    // Answered before the body is read.
    if (isWithin && request.is404) return void answerMissingRoute(request, reply);
    listUnknownParameters(request, reply);
    if (isWithin && hasValidHost(raw)) return done();
    reply.header('connection', 'close');
    if (isWithin) void refuse(reply, 'bad_request');
    else void sendUnavailable(reply, PIPELINE_RETRY_SECONDS);
  });
  app.addHook('preSerialization', linkExplanation);
  // One hook per route: `request.routeOptions` makes an object each time.
  app.addHook('onRoute', (route) => {
    const { url } = route;
    const count: onResponseHookHandler = ({ id: requestId, method }, reply, done) => {
      const { statusCode: status } = reply;
      onAnswer?.(url, status, reply.elapsedTime);
      if (status >= 400) logger.debug({ requestId, method, route: url, status }, 'request refused');
      done();
    };
    route.onResponse = [count, ...[route.onResponse ?? []].flat()];
  });
}

/** One host, which HTTP/1.0 may leave out (RFC 9112, 3.2). HTTP/0.9 has no headers, and is refused. */
function hasValidHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === HOST.length && name.toLowerCase() === HOST) hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

/** Fastify trusts no proxy if given a number; the setting means that many nearest hops. */
function trusted(setting: ServerDeps['trustProxy']) {
  return typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting;
}
