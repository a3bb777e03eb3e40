import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createOwnHosts, isLocal } from '../hooks/own-host.ts';
import { refuse } from '../hooks/refuse.ts';
import type { OperatorDeps } from '../server-deps.ts';

const RETRY_SECONDS = 1;
const FOR_OPERATOR = 'Metrics are available from loopback, or with METRICS_TOKEN as a bearer token.';

/** Callers other than the operator see no more than which checks fail. */
export function registerReadyz(app: FastifyInstance, deps: OperatorDeps): void {
  const { readiness, logger } = deps;
  const isOperator = createOperatorCheck(deps);
  let asking: ReturnType<OperatorDeps['readiness']> | null = null;
  // Concurrent requests share one answer.
  const askOnce = () => {
    asking ??= readiness().finally(() => {
      asking = null;
    });
    return asking;
  };
  app.get('/readyz', async (request, reply) => {
    const state = await askOnce().catch((error: unknown) => {
      logger.error({ err: error, requestId: request.id }, 'readiness check failed');
      return { ready: false, checks: {} };
    });
    if (!state.ready) reply.code(503).header('retry-after', RETRY_SECONDS);
    return isOperator(request) ? state : { ready: state.ready, failing: failingOf(state.checks) };
  });
}

function failingOf(checks: Record<string, unknown>): string[] {
  const hasFailed = ([, check]: [string, unknown]) =>
    typeof check === 'object' && check !== null && 'ready' in check && check.ready === false;
  return Object.entries(checks)
    .filter(hasFailed)
    .map(([name]) => name);
}

export function registerHealthz(app: FastifyInstance): void {
  app.get('/healthz', () => ({ status: 'ok' }));
}

export function registerMetrics(app: FastifyInstance, deps: OperatorDeps): void {
  const { metrics } = deps;
  const isOperator = createOperatorCheck(deps);
  app.get('/metrics', async (request, reply) => {
    if (!isOperator(request)) {
      reply.header('www-authenticate', 'Bearer');
      return refuse(reply, 'operator_only', FOR_OPERATOR);
    }
    reply.header('content-type', metrics.contentType);
    return metrics.render();
  });
}

function createOperatorCheck({ metricsToken, ownHosts }: Pick<OperatorDeps, 'metricsToken' | 'ownHosts'>) {
  const isOwnHost = createOwnHosts(ownHosts);
  return (request: FastifyRequest): boolean => {
    // A page of another origin can reach this machine under its own name (DNS rebinding).
    if (isLocal(request) && isOwnHost(request.headers.host)) return true;
    return hasToken(request, metricsToken);
  };
}

function hasToken({ headers }: FastifyRequest, token: string | null): boolean {
  if (token === null) return false;
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
