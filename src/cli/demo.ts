import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { loadRules } from '../config/detection-rules.ts';
import type { Config } from '../config.ts';
import { type Container, createContainer } from '../container.ts';
import { TIERS, type Tier } from '../core/accounts/tier.ts';
import { repeatUntil } from '../core/base/async/repeat.ts';
import { counted, timeSpan } from '../core/base/text/formats.ts';
import type { EpochMs } from '../core/base/time/duration.ts';
import { UserError } from '../core/base/user-error.ts';
import type { RecordReport } from '../core/record/record-report.ts';
import type { TapeSpan } from '../core/trades/source/source.ts';
import { databaseFailure, openDatabase } from '../infra/database/database.ts';
import { IS_CHECKOUT, MIDTERMS_TAPE } from '../infra/process/program.ts';
import { systemClock } from '../infra/process/system-clock.ts';
import { noLogger } from '../infra/telemetry/no-logger.ts';
import { momentsOfTape, recordAt } from '../wiring/tape-record.ts';
import { commandOf, interruptible, numberOf, PORTS, readConfig } from './command.ts';
import { databaseIn, makeDemoFolder, publishAccess, temporaryFailure } from './demo-folder.ts';
import { quietSpans } from './demo-pace.ts';
import { allAlerts, demoHead, printSummary, showAlerts } from './demo-screen.ts';
import { createTerminal, progressBar, type Terminal } from './terminal.ts';

const TAPE = join(import.meta.dirname, IS_CHECKOUT ? '../..' : '../../..', MIDTERMS_TAPE);
const PROGRESS_EVERY_MS = 100;

/** The afternoon of election day: 18 alerts follow, and the first result in the second minute. */
const START_OF_RUN = Date.parse('2022-11-08T21:00:00Z');
/** A minute is 5 hours, without the quiet ones. */
const DEFAULT_SPEED = 300;
const DEFAULT_PORT = 8080;
/** Also in a pipe. */
const COLUMNS = 80;

const DEMO_OPTIONS = {
  speed: {
    type: 'string',
    value: 'N',
    help: `speed of the tape, as a multiple of its recorded pace (default ${DEFAULT_SPEED})`,
  },
  exit: {
    type: 'boolean',
    help: 'replay all of it with its own dates at full speed, print a summary and exit',
  },
  port: {
    type: 'string',
    value: 'N',
    help: `port of the API (default PORT of the environment, else ${DEFAULT_PORT}; a free one if that is taken)`,
  },
} as const;

export const demoCommand = commandOf({
  about: 'Real trades of the 2022 US midterms become alerts before your eyes. Offline, no account.',
  usage: 'demo [options]',
  options: DEMO_OPTIONS,
  async run(values) {
    const terminal = createTerminal(process.stdout, COLUMNS);
    const options = demoOptions(values);
    await interruptible(async (signal, stop) => {
      terminal.closed.addEventListener('abort', stop);
      const folder = await makeDemoFolder();
      try {
        await play({ options, terminal, signal }, folder).catch((error: unknown) => {
          terminal.line();
          throw temporaryFailure(databaseFailure(error, databaseIn(folder)));
        });
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  },
});

interface Run {
  readonly options: DemoOptions;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

async function play(run: Run, folder: string): Promise<void> {
  const { options, terminal } = run;
  terminal.line(terminal.style('bold', 'Tipoff: a replay of the US midterms of 2022. None of this is live.'));
  const skips = await skipsOf(options);
  const config = configOf(options, { port: await portFor(options), folder, skips });
  // A service waits a minute for a database that cannot be used.
  await (await openDatabase(config.databaseUrl)).close();
  const container = await createContainer(config, { logger: noLogger });
  const end = new AbortController();
  try {
    const { address } = await container.start();
    await printHead(container, { address: address ?? '', folder, config }, run);
    const life = { ...run, signal: AbortSignal.any([run.signal, end.signal]) };
    const watching = watch(container, config, `${address}/`, life);
    await Promise.race([watching, container.ended, untilFailing(container, life.signal)]);
  } finally {
    end.abort();
    await container.close();
  }
}

/** Rejects with the failure of the ingest: nobody reads the log of a demo, or waits for it to recover. */
async function untilFailing({ ingest }: Container, signal: AbortSignal): Promise<void> {
  const isFailing = () => ingest?.status().state === 'failing';
  await repeatUntil(isFailing, { clock: systemClock, signal, intervalMs: PROGRESS_EVERY_MS });
  if (!signal.aborted) throw ingest?.status().failure;
}

async function watch(container: Container, config: Config, page: string, run: Run): Promise<void> {
  const { options, terminal, signal } = run;
  const startedAt = performance.now();
  await importHistory(container, run);
  if (signal.aborted) return;
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  if (options.isExit) return printSummary(container, await recordOf(container, config), seconds, terminal);
  const alerts = await allAlerts(container.database.alerts);
  terminal.prose(`${counted(alerts.length, 'alert')} imported in ${seconds} s. Ctrl+C ends the demo.`);
  await showAlerts(container, { page, freeDelayMs: config.freeDelayMs, terminal }, signal);
}

async function recordOf({ ingest, database }: Container, config: Config): Promise<RecordReport> {
  const rules = await loadRules(config.detection.rulesFile);
  const asOf = ingest?.status().detector?.time ?? 0;
  return recordAt(asOf, database, rules);
}

async function importHistory({ ingest }: Container, { options, terminal, signal }: Run): Promise<void> {
  const { isExit } = options;
  const action = isExit ? 'Replaying the tape' : 'Importing history';
  const isOver = () => {
    const { source, hasEnded } = ingest?.status() ?? {};
    const status = source?.status();
    const part = (isExit ? status?.progress : status?.historyProgress) ?? 0;
    terminal.progress(`${action}  ${progressBar(part)}`);
    return hasEnded === true || (!isExit && (status?.state === 'finished' || status?.state === 'playing'));
  };
  await repeatUntil(isOver, { clock: systemClock, signal, intervalMs: PROGRESS_EVERY_MS });
  if (isExit && !signal.aborted) terminal.line(`${action}  ${progressBar(1)}`);
}

async function skipsOf({ speed, shift }: DemoOptions): Promise<readonly TapeSpan[]> {
  if (shift === null) return [];
  return quietSpans(await momentsOfTape(TAPE, await loadRules(null)), { from: shift, speed });
}

interface RunParts {
  readonly port: number;
  readonly folder: string;
  readonly skips: readonly TapeSpan[];
}

function configOf({ speed, shift }: DemoOptions, { port, folder, skips }: RunParts): Config {
  const config = readConfig({
    PORT: String(port),
    DATABASE_URL: databaseIn(folder),
    MARKET_SOURCE: `replay:${TAPE}`,
    REPLAY_SPEED: String(speed),
    // For `tipoff listen`.
    WEBHOOK_ALLOW_PRIVATE: 'true',
    // Prices on the pages come from what a snapshot stores.
    ...(shift !== null && { REPLAY_SHIFT: new Date(shift).toISOString(), SNAPSHOT_SECONDS: '1' }),
  });
  if (shift === null) return config;
  // The run started as long ago as visitors of the page wait for an alert.
  return { ...config, replay: { ...config.replay, headStartMs: config.freeDelayMs, skips } };
}

/** The requested or usual port; a free one when the usual one is taken. Its number is a part of links on the pages. */
async function portFor({ port, usualPort }: DemoOptions): Promise<number> {
  const wanted = await freePort(port ?? usualPort);
  if (wanted !== null) return wanted;
  const other = port === null ? await freePort(0) : null;
  if (other !== null) return other;
  throw new UserError(`--port: ${port} is taken; choose another, or leave it out for a free one.`);
}

async function freePort(port: number): Promise<number | null> {
  const server = createServer();
  const listening = once(server, 'listening').then(
    () => (server.address() as AddressInfo).port,
    () => null,
  );
  server.listen(port, '127.0.0.1');
  const free = await listening;
  server.close();
  return free;
}

interface HeadParts {
  readonly address: string;
  readonly folder: string;
  readonly config: Config;
}

async function printHead(
  container: Container,
  { address, folder, config }: HeadParts,
  { options, terminal }: Run,
): Promise<void> {
  const { line, prose } = terminal;
  if (options.isExit) {
    prose('These are real trades of the 2022 US midterms, at their own dates.');
    return line();
  }
  const secrets = await issueKeys(container);
  await publishAccess(folder, { url: address, key: secrets.enterprise });
  for (const text of demoHead({ address, secrets })) line(text);
  line();
  prose(
    `The trades, prices and results are real and of 2022, moved to today, at ${options.speed.toLocaleString('en-US')} times their pace, with quiet hours left out. Paid keys get alerts immediately; the page and this terminal show them, and results, ${timeSpan(config.freeDelayMs)} later.`,
  );
  const { port } = new URL(address);
  if (options.port === null && options.usualPort > 0 && port !== String(options.usualPort))
    prose(`Port ${options.usualPort} is taken: this demo uses ${port}.`);
}

async function issueKeys({ keys }: Container): Promise<Record<Tier, string>> {
  const issued = TIERS.map(async (tier) => {
    const result = await keys.issue({ tier, name: `Demo ${tier}` });
    if (!result.ok) throw new Error(`no ${tier} key: ${result.reason}`);
    return [tier, result.secret] as const;
  });
  return Object.fromEntries(await Promise.all(issued)) as Record<Tier, string>;
}

interface DemoOptions {
  readonly isExit: boolean;
  readonly speed: number;
  /** Null: the usual one, or a free one if that is taken. */
  readonly port: number | null;
  /** `PORT` of the environment, which in a container is the service's own. */
  readonly usualPort: number;
  /** The moment of the tape that is moved to the start of the run; null plays it at its own dates. */
  readonly shift: EpochMs | null;
}

export function demoOptions(
  values: { readonly speed?: string; readonly exit?: boolean; readonly port?: string },
  { PORT }: Readonly<Record<string, string | undefined>> = process.env,
): DemoOptions {
  const { speed, exit: isExit = false, port } = values;
  if (isExit && speed !== undefined) throw new UserError('--exit replays at full speed; leave out --speed.');
  return {
    isExit,
    speed: isExit ? 0 : numberOf('--speed', speed ?? String(DEFAULT_SPEED), [0.1, 1_000_000]),
    port: port === undefined ? null : numberOf('--port', port, PORTS),
    usualPort: PORT === undefined || PORT === '' ? DEFAULT_PORT : numberOf('PORT', PORT, PORTS),
    shift: isExit ? null : START_OF_RUN,
  };
}
