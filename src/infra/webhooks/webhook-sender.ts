import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { AttemptResult, DeliveryError } from '../../core/webhooks/delivery.ts';
import type { WebhookMessage, WebhookSender } from '../../core/webhooks/webhook-sender.ts';
import { type IsPublicAddress, webhookUrlProblem } from '../../core/webhooks/webhook-url.ts';
import { AttemptFailure, codeOf, exchangeFailure } from './attempt-failure.ts';
import { type ConnectionPool, createConnectionPool } from './connection-pool.ts';
import { createGuardedConnect } from './guarded-connect.ts';
import { ConnectionGone } from './http-connection.ts';
import { type PostOptions, post } from './post.ts';
import { createPublicResolver, type ResolveHost, resolveAnyHost } from './resolve-host.ts';
import { createRequestWriter } from './signed-request.ts';

export interface SenderDeps {
  /** Null lets deliveries go to any address, for development. */
  readonly isPublic: IsPublicAddress | null;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly resolve?: ResolveHost;
  /** For everything together; the contract's 5 seconds unless a test has less time. */
  readonly budgetMs?: number;
}

/** Contract, Webhook acknowledgement: "200 status within 5 seconds, no retry". */
const BUDGET_MS = 5_000;
const OK = 200;
const LOGGED_CHARACTERS = 200;
const CONNECTIONS_PER_ORIGIN = 16;

/** Sends over TLS and HTTP/1.1, each message once; knows no redirects and no proxies. */
export function createWebhookSender(deps: SenderDeps): WebhookSender {
  const { isPublic, clock, logger, budgetMs = BUDGET_MS } = deps;
  const resolve = deps.resolve ?? (isPublic === null ? resolveAnyHost : createPublicResolver());
  const open = createGuardedConnect({ resolve, isPublic });
  const pool = createConnectionPool({ open, perOrigin: CONNECTIONS_PER_ORIGIN });
  const writeRequest = createRequestWriter(clock);
  const inFlight = new Set<Promise<void>>();

  async function attempt(message: WebhookMessage, limits: Limits): Promise<void> {
    refuseTarget(message.url, isPublic);
    const url = new URL(message.url);
    await exchange(pool, url, { ...writeRequest(url, message), ...limits });
  }

  return {
    send(message) {
      const { promise, resolve: settle } = Promise.withResolvers<AttemptResult>();
      const startedAt = performance.now();
      const end = (status: number | null, error: DeliveryError | null) =>
        settle({ status, error, durationMs: Math.round(performance.now() - startedAt) });
      const budget = new AbortController();
      const timer = setTimeout(() => budget.abort(new AttemptFailure('timeout')), budgetMs);
      let hasStatus = false;
      const onStatus = (status: number) => {
        hasStatus = true;
        end(status, statusWord(status));
      };
      const done = attempt(message, { signal: budget.signal, onStatus })
        .catch((error: unknown) => {
          if (!hasStatus) end(null, wordOf(error, message.url, logger));
        })
        .finally(() => {
          clearTimeout(timer);
          inFlight.delete(done);
        });
      inFlight.add(done);
      return promise;
    },
    async close() {
      while (inFlight.size > 0) await Promise.all(inFlight);
      await pool.close();
    },
  };
}

type Limits = Pick<PostOptions, 'signal' | 'onStatus'>;

/** Today's rules are for addresses of long ago, too. */
function refuseTarget(url: string, isPublic: IsPublicAddress | null): void {
  const problem = webhookUrlProblem(url, isPublic);
  if (problem === null) return;
  const isInside = problem === 'not_public' || problem === 'internal_name';
  throw new AttemptFailure(isInside ? 'not_public' : 'protocol');
}

/** Resolves when nothing of the request and its answer is left. */
async function exchange(pool: ConnectionPool, url: URL, request: PostOptions): Promise<void> {
  while (true) {
    const connection = await pool.take(url, request.signal);
    try {
      return await post(connection, request);
    } catch (error) {
      // Nothing was sent on it, so that this is no second attempt.
      if (!(error instanceof ConnectionGone)) throw exchangeFailure(error);
    } finally {
      pool.giveBack(url, connection);
    }
  }
}

function statusWord(status: number): DeliveryError | null {
  if (status === OK) return null;
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

function wordOf(error: unknown, url: string, logger: Pick<Logger, 'warn'>): DeliveryError {
  if (error instanceof AttemptFailure) return error.word;
  // The rest of an address may hold secrets of the receiver, and the error all of what it answered.
  const { origin } = new URL(url);
  const { name, message } = error instanceof Error ? error : new Error('no error');
  logger.warn(
    { origin, code: codeOf(error), error: `${name}: ${message}`.slice(0, LOGGED_CHARACTERS) },
    'A webhook failed in a way that has no word of its own.',
  );
  return 'protocol';
}
