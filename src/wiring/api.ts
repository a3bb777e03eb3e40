import type { FastifyInstance } from 'fastify';
import { KeyCheck } from '../core/accounts/keys/key-check.ts';
import { Usage } from '../core/accounts/keys/usage.ts';
import { InsuredLimiter, networkLimiter, type RateLimiter } from '../core/accounts/limits/rate-limiter.ts';
import { PresetService } from '../core/accounts/presets/preset.ts';
import type { Exit } from '../core/alerts/exits/exit.ts';
import { followExits } from '../core/alerts/exits/follow-exits.ts';
import { RecentWindow } from '../core/alerts/ledger/recent-window.ts';
import { NewestEvents } from '../core/alerts/newest-events.ts';
import { FailureLog } from '../core/base/async/failure-log.ts';
import { FirstUses } from '../core/chat/key-notices.ts';
import { EventStream } from '../core/delivery/stream/event-stream.ts';
import { StreamHub } from '../core/delivery/stream/stream-hub.ts';
import { latestAnswer } from '../http/routes/alerts.ts';
import { createServer } from '../http/server.ts';
import type { ServerDeps, ServerSite } from '../http/server-deps.ts';
import { JsonFrames } from '../http/stream/encode-frames.ts';
import { latestAlertJson } from '../http/views/alert-view.ts';
import type { ReadyAnswer } from '../http/views/ready-answer.ts';
import { MemoryRateLimiter } from '../infra/database/memory-rate-limiter.ts';
import { PROGRAM_ON_HOST } from '../infra/process/program.ts';
import { secureRandom, sha256 } from '../infra/secrets/key-crypto.ts';
import { registerMcp } from '../mcp/register-mcp.ts';
import type { AppContext } from './app-context.ts';
import type { LiveCoverage } from './coverage.ts';
import { wireFigures } from './figures.ts';
import { drain, listen, operatorDeps, wireConnectionLimits } from './listening.ts';
import { urlInChat } from './public-url.ts';
import type { Readiness } from './readiness.ts';
import { wireSite } from './site.ts';
import { type Outgoing, wireWebhooks } from './webhooks.ts';

/** Enough for the largest answer and for what free keys may not see yet. */
const WINDOW_ALERTS = 1_000;
const USAGE_FLUSH_MS = 1_000;
/** Keys of a minute that one process remembers, and as many addresses. */
const LIMITED_SUBJECTS = 100_000;
/** Addresses with wrong keys of a minute. */
const FAILING_ADDRESSES = 10_000;

interface ApiParts {
  readonly outgoing: Outgoing;
  readonly coverage: LiveCoverage;
  readonly readiness: () => Promise<Readiness>;
  readonly record: ServerDeps['record'];
}

export function wireApi(context: AppContext, parts: ApiParts) {
  const { config, clock, logger, database } = context;
  const usage = new Usage({ usage: database.usage, clock, logger });
  const firstUses = new FirstUses({ keys: database.keys, outbox: database.chat, clock, logger });
  const window = wireWindow(context);
  const { stream, events } = wireStream(context);
  parts.coverage.notify(stream);
  const site = wireSite(context);
  parts.coverage.onState(site.feedChanged);
  const own = { usage, firstUses, window, stream, site: site.server };
  const server = wireServer(context, { ...parts, ...own });
  let flushing: NodeJS.Timeout | undefined;
  let lastExit = 0;

  return {
    async start() {
      await site.open();
      const address = await listen(server, config.server);
      lastExit = await context.exits.last();
      await window.open();
      for (const each of events) await each.open();
      await stream.open();
      void announceFirstKey(context);
      flushing = setInterval(() => void Promise.all([usage.flush(), firstUses.flush()]), USAGE_FLUSH_MS);
      return address;
    },
    async run(signal: AbortSignal) {
      const running = [...events, site].map((part) => part.run(signal));
      await Promise.all([...running, followWindow(context, window, lastExit, signal)]);
    },
    async close() {
      await drain(server);
      await site.close();
      window.close();
      clearInterval(flushing);
      await Promise.all([usage.flush(), firstUses.flush()]);
    },
  };
}

function followWindow(
  { exits, clock, logger }: AppContext,
  window: RecentWindow<ReadyAnswer>,
  after: number,
  signal: AbortSignal,
): Promise<void> {
  const until = () => Number.MAX_SAFE_INTEGER;
  const onExit = (exit: Exit) => window.addExit(exit);
  return followExits({ exits, until, after, onExit, clock, logger }, signal);
}

function wireWindow({ config, clock, logger, database, exits, feed }: AppContext): RecentWindow<ReadyAnswer> {
  const { alertIndex: index } = database;
  const failures = new FailureLog(logger, 'results unavailable; read with the next settlement or search');
  return new RecentWindow({
    alerts: database.alerts,
    index,
    refresh: () => failures.guard(() => index.upToDate()),
    exits: {
      bets: (...query) => exits.bets(...query),
      ofThreads: (...query) => database.exits.ofThreads(...query),
    },
    feed,
    clock,
    capacity: WINDOW_ALERTS,
    freeDelayMs: config.freeDelayMs,
    serialise: latestAlertJson,
    encode: latestAnswer,
  });
}

function wireStream({ clock, logger, metrics, database, feed, logHeads, ...context }: AppContext) {
  const frames = new JsonFrames(logHeads);
  const stream = new StreamHub({
    alerts: database.alerts,
    keys: database.keys,
    feed,
    clock,
    logger,
    metrics: metrics.metrics,
    frames,
    defer: setImmediate,
    random: Math.random,
  });
  const following = { hub: stream, clock, logger, defer: setImmediate };
  const { settlements, exits } = context;
  const events = [
    new EventStream({
      ...following,
      kind: 'outcome',
      events: settlements,
      frameOf: (settled) => frames.outcome(settled),
    }),
    new EventStream({ ...following, kind: 'exit', events: exits, frameOf: (exit) => frames.exit(exit) }),
  ];
  return { stream, events };
}

interface ServerParts extends ApiParts {
  readonly usage: Usage;
  readonly firstUses: FirstUses;
  readonly window: RecentWindow<ReadyAnswer>;
  readonly stream: StreamHub;
  readonly site: ServerSite;
}

function wireRateLimiter({ clock, logger, database: { sharedLimiter: shared } }: AppContext): RateLimiter {
  const local = new MemoryRateLimiter({ capacity: LIMITED_SUBJECTS, clock });
  return shared === null ? local : new InsuredLimiter({ shared, local, clock, logger });
}

function wireServer(
  context: AppContext,
  { usage, firstUses, window, record, stream, site, outgoing, coverage, readiness }: ServerParts,
): FastifyInstance {
  const { config, clock, logger, database, hasher, turns, logHeads, settlements, exits } = context;
  const rateLimiter = wireRateLimiter(context);
  return createServer({
    keyCheck: new KeyCheck({
      keys: database.keys,
      hasher,
      digest: sha256,
      failures: networkLimiter(new MemoryRateLimiter({ capacity: FAILING_ADDRESSES, clock })),
      clock,
      logger,
    }),
    usage,
    onFirstUse: firstUses.note,
    rateLimiter,
    addressLimiter: new MemoryRateLimiter({ capacity: LIMITED_SUBJECTS, clock }),
    publicRequestsPerMinute: config.server.publicRequestsPerMinute,
    alerts: database.alerts,
    prices: database.prices,
    figures: wireFigures(context),
    turns,
    coverage: coverage.report,
    log: database.log,
    logHeads,
    settlements,
    exits,
    newestEvents: new NewestEvents({ ...database, exits, sequence: settlements.sequence }),
    presets: new PresetService({ ...database, random: secureRandom, clock }),
    ...wireWebhooks(context, outgoing, rateLimiter),
    isPublicAddress: outgoing.isPublicAddress,
    latest: window,
    record,
    stream,
    site,
    mcp: registerMcp,
    publicUrl: urlInChat(config.server, null),
    freeDelayMs: config.freeDelayMs,
    ...operatorDeps(context, readiness),
    connectionLimits: wireConnectionLimits(context),
  });
}

/** The command that makes the first key; null where there is one. */
export async function firstKeyCommand({
  clock,
  database,
}: Pick<AppContext, 'clock'> & {
  readonly database: Pick<AppContext['database'], 'keys'>;
}): Promise<string | null> {
  const counts = await database.keys.countByTier(clock.now());
  if (Object.values(counts).some((count) => count > 0)) return null;
  return `${PROGRAM_ON_HOST} keys issue --tier enterprise --name Operations`;
}

/** Logs the command that makes the first key, while there is none. */
export async function announceFirstKey(context: AppContext): Promise<void> {
  const { logger } = context;
  try {
    const command = await firstKeyCommand(context);
    if (command !== null) logger.info({ command }, 'there is no API key yet; this command makes one');
  } catch (err) {
    logger.debug({ err }, 'the keys were not counted at the start');
  }
}
