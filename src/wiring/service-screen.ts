import { wrapped } from '../../bots/terminal/screen-text.ts';
import type { Config } from '../config.ts';
import { PLATFORM_LABELS } from '../core/accounts/customers/customer.ts';
import type { Alert } from '../core/alerts/alert.ts';
import { describeTrade } from '../core/alerts/describe-alert.ts';
import { FailureLog } from '../core/base/async/failure-log.ts';
import { repeatUntil } from '../core/base/async/repeat.ts';
import type { Logger } from '../core/base/logger.ts';
import { oneLine } from '../core/base/text/formats.ts';
import type { SteadyClock } from '../core/base/time/clock.ts';
import type { Database } from '../core/database.ts';
import type { Ingest } from '../core/ingest/ingest.ts';
import { CAUSE_WORDS } from '../core/trades/coverage/blind-window.ts';
import { sqliteFile } from '../infra/database/database.ts';
import { VERSION } from '../infra/outgoing/user-agent.ts';
import { PROGRAM } from '../infra/process/program.ts';
import { readableLog } from '../infra/telemetry/readable-log.ts';
import { firstKeyCommand } from './api.ts';
import type { AppContext } from './app-context.ts';
import { platformsOf } from './platforms.ts';

/** What the screen says itself, and what only says that a part of the service has begun. */
const SAID_BY_SCREEN: ReadonlySet<string> = new Set([
  'listening',
  'there is no API key yet; this command makes one',
  'bots are off: neither TELEGRAM_BOT_TOKEN nor DISCORD_TOKEN is set',
  'delivering',
  'making the deliveries of alerts',
  'ingesting',
  'tape opened',
]);

const LABEL_WIDTH = 9;
const LOOK_EVERY_MS = 250;

/** Where further rows of a line begin: below its message. */
const HANG = 15;

/** Where the log of a service goes that a person reads: one readable line each, broken between words. */
export function openScreenLog(stream: NodeJS.WriteStream, logLevel: Config['logLevel']) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const fitted = (line: string) =>
    stream.columns > 0 ? wrapped(line, stream.columns, /^ /.test(line) ? undefined : HANG) : line;
  return readableLog({
    write: (text) => void stream.write(text.split('\n').map(fitted).join('\n')),
    isDebug: logLevel === 'debug',
    isColoured: stream.isTTY === true && stream.hasColors(),
    hidden: SAID_BY_SCREEN,
  });
}

interface ShownService extends Pick<AppContext, 'logger' | 'feed'> {
  readonly database: Pick<Database, 'alerts' | 'keys'>;
  readonly ingest: Pick<Ingest, 'status'> | null;
  readonly ended: Promise<void>;
  start(): Promise<{ readonly address: string | null }>;
}

interface Screen {
  readonly config: Pick<Config, 'server' | 'databaseUrl' | 'source' | 'market' | 'replay' | 'roles' | 'chat'>;
  readonly clock: SteadyClock;
  readonly write: (text: string) => void;
}

/** Starts the service for a person at a terminal: what runs where, then each alert, and whether the market is reached. */
export async function startOnScreen(service: ShownService, screen: Screen): Promise<void> {
  const { database, feed, logger, ingest, ended } = service;
  const { clock, config } = screen;
  const last = await database.alerts.last();
  const { address } = await service.start();
  const failures = new FailureLog(logger, 'keys unavailable');
  const key = await failures.guard(() => firstKeyCommand({ clock, database }));
  screen.write(startScreen(config, { address, key }));
  const unsubscribe = feed.subscribe(last?.id ?? 0, (alerts) => {
    for (const alert of alerts) logger.info({}, alertWords(alert));
  });
  const closed = new AbortController();
  closed.signal.addEventListener('abort', unsubscribe);
  const close = () => closed.abort();
  // `main` reports why the service ended.
  void ended.then(close, close);
  if (config.source.kind === 'polymarket' && ingest !== null)
    void reportMarket(ingest, { clock, logger }, closed.signal);
}

interface Start {
  /** Where it listens; null without the API. */
  readonly address: string | null;
  /** The command that makes the first key; null where there is one. */
  readonly key: string | null;
}

function startScreen(config: Screen['config'], { address, key }: Start): string {
  const rows: readonly (readonly [string, string | null])[] = [
    ['Page', address && `${address}/`],
    ['API', address && `${address}/api/v1`],
    ['Documents', address && `${address}/docs`],
    ['Database', databaseWords(config.databaseUrl)],
    ['Source', sourceWords(config)],
    ['Node', nodeWords(config)],
    ['Bots', botWords(config)],
    ['Roles', config.roles === 'all' ? null : config.roles],
    ['First key', key],
  ];
  const lines = rows.flatMap(([label, text]) => (text ? `${label.padEnd(LABEL_WIDTH)}  ${text}` : []));
  return [`Tipoff ${VERSION}. Ctrl+C ends it.`, ...lines, '', ''].join('\n');
}

/** Never with the user or the password. */
function databaseWords(url: string): string {
  const file = sqliteFile(url);
  if (file !== null) return `SQLite, ${file}`;
  return `MongoDB, ${url.replace(/^mongodb(?:\+srv)?:\/\/(?:.*@)?/, '').replace(/\?.*$/, '')}`;
}

function sourceWords({ source, replay, roles }: Screen['config']): string | null {
  if (roles !== 'all') return null;
  if (source.kind === 'polymarket') return 'Polymarket, live: connecting';
  if (source.kind === 'none') return 'none: stored alerts only';
  if (source.kind === 'tail') return `${source.file}, as it grows`;
  const { speed } = replay;
  const pace = speed === 0 ? 'as fast as possible' : `at ${speed.toLocaleString('en-US')} times its pace`;
  return `replay of ${source.file}, ${pace}`;
}

/** Of the node's address only the host: its path may hold a key. */
function nodeWords({ source, market, roles }: Screen['config']): string | null {
  if (source.kind !== 'polymarket' || roles !== 'all') return null;
  const { rpcUrl } = market;
  if (rpcUrl === null) return 'off: alerts come about six seconds later';
  return `${new URL(rpcUrl).host} (POLYGON_RPC_URL=off does without)`;
}

function botWords({ chat, roles }: Screen['config']): string | null {
  if (roles !== 'all') return null;
  const bots = platformsOf(chat).map((platform) => PLATFORM_LABELS[platform]);
  return bots.length === 0 ? 'off: set TELEGRAM_BOT_TOKEN or DISCORD_TOKEN (docs/bots.md)' : bots.join(', ');
}

function alertWords(alert: Alert): string {
  const { id, score, type, eventTitle } = alert;
  return `alert ${id}, score ${score}, ${type}: ${oneLine(eventTitle)} ${describeTrade(alert)}`;
}

/** Says once that the live market is not reached and what works meanwhile, and once that it is. Ends then, or with the signal. */
async function reportMarket(
  ingest: Pick<Ingest, 'status'>,
  {
    clock,
    logger,
  }: { readonly clock: Pick<SteadyClock, 'sleep'>; readonly logger: Pick<Logger, 'info' | 'warn'> },
  signal: AbortSignal,
): Promise<void> {
  let isReported = false;
  const look = () => {
    const { state, failure = null } = ingest.status().source?.status() ?? {};
    if (state !== undefined && state !== 'starting') {
      const next = state === 'catching_up' ? 'reading the trades before the start' : 'watching its trades';
      logger.info({}, `Connected to Polymarket; ${next}`);
      return true;
    }
    if (failure !== null && !isReported) {
      isReported = true;
      logger.warn({}, `Polymarket cannot be reached; retrying. ${CAUSE_WORDS[failure]} ${MEANWHILE}`);
    }
    return false;
  };
  await repeatUntil(look, { clock, signal, intervalMs: LOOK_EVERY_MS });
}

const MEANWHILE = `Stored alerts, pages, API and bots work meanwhile. ${PROGRAM} demo needs no network.`;
