import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type onResponseHookHandler,
} from 'fastify';
import type { Logger } from '../core/base/logger.ts';
import { registerRoutes } from './api.ts';
import { declareAudience } from './hooks/audience.ts';
import { answerOddRequests, createBrokenRequestAnswer } from './hooks/broken-requests.ts';
import { createTrust } from './hooks/client-address.ts';
import { isSentAhead, limitConnections, serveInOrder } from './hooks/connection-limit.ts';
import { readJsonOnly } from './hooks/json-body.ts';
import { createMissingRouteHandler, trackRoutes } from './hooks/missing-route.ts';
import { createErrorHandler, linkExplanation, refuse, sendUnavailable } from './hooks/refuse.ts';
import { standingHeaders } from './hooks/security-headers.ts';
import { listUnknownParameters } from './hooks/unknown-parameters.ts';
import { registerHealthz, registerMetrics, registerReadyz } from './routes/operator.ts';
import { earlyCode, helpLink } from './schemas/error-codes.ts';
import { serializerCompiler, validatorCompiler } from './schemas/validation.ts';
import type { OperatorDeps, ServerDeps } from './server-deps.ts';
import { isStreamUpgrade } from './stream/register-stream.ts';

const PIPELINE_RETRY_SECONDS = 1;
const HOST = 'host';

const OPTIONS = {
  // Answers are counted, and failures are logged by the error handler: a log line per request would cost every request.
  logController: new LogController({ disableRequestLogging: true }),
  bodyLimit: 64 * 1_024,
  requestTimeout: 30_000,
  connectionTimeout: 65_000,
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

export function createServer(deps: ServerDeps): FastifyInstance {
  const app = createBaseServer(deps, (reply) => deps.site.sendMissingPage(reply, deps));
  registerRoutes(app, deps);
  return app;
}

/** The operator's endpoints, and what every answer has. `sendMissingPage`: a 404 for people. */
export function createBaseServer(
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
  // `connectionTimeout` ends idle connections too; a second limit would make two timers for each request.
  app.server.keepAliveTimeout = 0;
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

/** Fastify trusts no proxy if given a number; the setting means that many nearest hops. It compares addresses only without their ports. */
function trusted(setting: ServerDeps['trustProxy']) {
  if (typeof setting === 'number') return (_address: string, hop: number) => hop < setting;
  return typeof setting === 'string' ? createTrust(setting) : setting;
}

/** Ids of clients that are kept: they are written to logs and to a header. */
const GIVEN_ID = /^[A-Za-z0-9._-]{1,64}$/;

function createRequestIds(): (request: IncomingMessage) => string {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  return (request) => {
    const given = request.headers['x-request-id'];
    if (typeof given === 'string' && GIVEN_ID.test(given) && !given.includes('sk_')) return given;
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}

/** There are no child loggers: lines that need the request's id carry it. */
function toFastifyLogger(logger: Logger): FastifyBaseLogger {
  const at = (level: keyof Logger) => (first: unknown, message?: string) => {
    if (typeof first === 'string') logger[level]({}, first);
    else logger[level](first as object, message ?? 'http server');
  };
  const adapted: FastifyBaseLogger = {
    level: 'debug',
    fatal: at('error'),
    error: at('error'),
    warn: at('warn'),
    // Info lines of the framework are details here.
    info: at('debug'),
    debug: at('debug'),
    trace: () => {},
    silent: () => {},
    child: () => adapted,
  };
  return adapted;
}
