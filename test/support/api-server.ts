import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import { Usage } from '../../src/core/accounts/keys/usage.ts';
import { PresetService } from '../../src/core/accounts/presets/preset.ts';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { ReadTurns } from '../../src/core/alerts/alert-index/read-turns.ts';
import { betOf } from '../../src/core/alerts/bet.ts';
import { ExitReader } from '../../src/core/alerts/exits/exit-reader.ts';
import { Figures } from '../../src/core/alerts/figures/figures.ts';
import type { Feed } from '../../src/core/alerts/ledger/feed.ts';
import { NewestEvents } from '../../src/core/alerts/newest-events.ts';
import { SettlementReader } from '../../src/core/alerts/settlements/settlement-reader.ts';
import { liveChecks } from '../../src/core/operations/worker-report.ts';
import { CoverageReport } from '../../src/core/trades/coverage/coverage-report.ts';
import { declareAudience } from '../../src/http/hooks/audience.ts';
import { latestAnswer } from '../../src/http/routes/alerts.ts';
import { createServer } from '../../src/http/server.ts';
import type { ServerDeps } from '../../src/http/server-deps.ts';
import { latestAlertJson } from '../../src/http/views/alert-view.ts';
import { PageCache } from '../../src/http/views/page-cache.ts';
import type { ReadyAnswer } from '../../src/http/views/ready-answer.ts';
import { MemoryRateLimiter } from '../../src/infra/database/memory-rate-limiter.ts';
import { isPublicAddress } from '../../src/infra/outgoing/public-address.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';
import { secureRandom } from '../../src/infra/secrets/key-crypto.ts';
import { registerMcp } from '../../src/mcp/register-mcp.ts';
import { reportedFeedOf } from '../../src/wiring/coverage.ts';
import { emptyRecord } from './empty-record.ts';
import { type KeyFixture, openKeyFixture } from './key-fixture.ts';
import { type DeliveryParts, openWebhooks } from './open-webhooks.ts';
import { readRecord } from './record-report.ts';
import { silentLogger } from './silent-logger.ts';
import { storeAlerts } from './stored.ts';
import { FREE_DELAY_MS, openStream } from './stream-hub.ts';

export { FREE_DELAY_MS };

const NOTHING_MEASURED = readRecord(emptyRecord());

/** The HTTP server over a database in memory, listening on a free port until the test ends. */
export type ApiServer = Awaited<ReturnType<typeof startApi>>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; what a test expects of it says what it is. */
  // biome-ignore lint/suspicious/noExplicitAny: a body is whatever the server sent
  readonly body: any;
}

type Change = Partial<ServerDeps> | ((made: KeyFixture & { readonly feed: Feed }) => Partial<ServerDeps>);

/** `change` replaces parts; a function makes them from those of the server. `startSite` adds the pages. */
export async function startApi(
  change: Change = {},
  extend: (app: FastifyInstance) => void = () => {},
  parts: DeliveryParts = {},
) {
  const fixture = await openKeyFixture();
  const { database, clock, keyCheck } = fixture;
  const { hub, feed, logHeads } = await openStream(fixture);
  const settlements = new SettlementReader(database);
  const exits = new ExitReader(database);
  const app = createServer({
    keyCheck,
    usage: new Usage({ usage: database.usage, clock, logger: silentLogger }),
    rateLimiter: new MemoryRateLimiter({ capacity: 1_000, clock }),
    addressLimiter: new MemoryRateLimiter({ capacity: 1_000, clock }),
    publicRequestsPerMinute: 60,
    alerts: database.alerts,
    prices: database.prices,
    figures: new Figures({ alerts: database.alerts, clock }),
    turns: new ReadTurns(systemClock),
    coverage: new CoverageReport({
      ...{ store: database.coverage, clock },
      reported: async () => reportedFeedOf(liveChecks(await database.worker.get(), clock.now())),
    }),
    log: database.log,
    logHeads,
    settlements,
    exits,
    newestEvents: new NewestEvents({ ...database, exits, sequence: settlements.sequence }),
    presets: new PresetService({ ...database, random: secureRandom, clock }),
    ...openWebhooks(fixture, parts),
    isPublicAddress,
    latest: { read: (query) => latestFrom(fixture, query) },
    record: NOTHING_MEASURED,
    site: {
      pages: new PageCache(clock),
      register: () => {},
      sendMissingPage: (reply) => void reply.code(404).send(),
    },
    mcp: registerMcp,
    stream: hub,
    publicUrl: 'https://api.example.com',
    clock,
    freeDelayMs: FREE_DELAY_MS,
    logger: silentLogger,
    metrics: { contentType: 'text/plain', render: async () => 'tipoff_up 1\n' },
    metricsToken: null,
    readiness: async () => ({ ready: true, checks: {} }),
    trustProxy: false,
    ...(typeof change === 'function' ? change({ ...fixture, feed }) : change),
  });
  app.register(async (scope) => {
    declareAudience(scope, 'operator');
    extend(scope);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(async () => {
    await app.close();
    await database.close();
  });
  const baseUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  return {
    ...fixture,
    app,
    baseUrl,
    feed,
    hub,
    logHeads,
    /** Asks with a key; `path` begins with a slash and goes under `/api/v1`. */
    get: (path: string, secret?: string, headers: Record<string, string> = {}) =>
      ask(`${baseUrl}/api/v1${path}`, {
        headers: { ...headers, ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }) },
      }),
    /** A text goes as it is, anything else is written as JSON. */
    send: (method: string, path: string, secret: string, body?: unknown) =>
      ask(`${baseUrl}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    async append(...alerts: readonly Alert[]) {
      for (const alert of alerts) {
        await storeAlerts(database, alert);
        await database.alertIndex.refresh();
        feed.announce((await database.alerts.byId(alert.id)) as Alert);
      }
    },
  };
}

export async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, init);
  const text = await response.text();
  const isJson = /^application\/json(;|$)/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : null,
  };
}

async function latestFrom(
  { database, clock }: KeyFixture,
  { limit, isRealtime }: { limit: number; isRealtime: boolean },
): Promise<ReadyAnswer> {
  const until = isRealtime ? Number.POSITIVE_INFINITY : clock.now() - FREE_DELAY_MS;
  const found = await database.alerts.latest(isRealtime ? { limit } : { limit, until });
  await database.alertIndex.refresh();
  const alerts = found.map((alert) => database.alertIndex.asOf(alert, until));
  const bets = await new ExitReader(database).bets(alerts, until);
  const texts = alerts.map((alert) => latestAlertJson(alert, bets.get(alert.id) ?? betOf(alert)));
  return latestAnswer(`[${texts.join(',')}]`, alerts.at(-1)?.id ?? null);
}
