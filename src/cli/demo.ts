import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { type Container, createContainer } from '../container.ts';
import { repeatUntil } from '../core/async/repeat-until.ts';
import type { RecordReport } from '../core/record/record-report.ts';
import { TIERS, type Tier } from '../core/tier.ts';
import { UserError } from '../core/user-error.ts';
import { loadRules } from '../infra/detection-rules.ts';
import { IS_CHECKOUT, MIDTERMS_TAPE } from '../infra/program.ts';
import { systemClock } from '../infra/system-clock.ts';
import { recordAt } from '../wiring/tape-record.ts';
import { DEFAULT_PORT, DEMO_HELP, type DemoOptions, parseDemoOptions } from './demo-options.ts';
import { printSummary, showAlerts } from './demo-screen.ts';
import { readConfig } from './read-config.ts';
import { runCommand } from './run-cli.ts';
import { createTerminal, progressBar, type Terminal } from './terminal.ts';

const TAPE = join(import.meta.dirname, IS_CHECKOUT ? '../..' : '../../..', MIDTERMS_TAPE);
const PROGRESS_EVERY_MS = 100;

interface Run {
  readonly options: DemoOptions;
  readonly terminal: Terminal;
  /** Aborts at Ctrl+C, or when the output is closed. */
  readonly signal: AbortSignal;
}

async function demo(args: string[]): Promise<void> {
  const terminal = createTerminal(process.stdout);
  const options = parseDemoOptions(args);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  terminal.closed.addEventListener('abort', () => stop.abort());
  const folder = await mkdtemp(join(tmpdir(), 'tipoff-demo-'));
  try {
    await play({ options, terminal, signal: stop.signal }, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function play(run: Run, folder: string): Promise<void> {
  const port = await portFor(run.options);
  const config = configOf(run.options, port, folder);
  const container = await createContainer(config);
  try {
    const { address } = await container.start();
    await printWelcome(container, address ?? '', run);
    await Promise.race([watch(container, config, run), container.ended]);
  } finally {
    await container.close();
  }
}

async function watch(container: Container, config: Config, run: Run): Promise<void> {
  const { options, terminal, signal } = run;
  const startedAt = performance.now();
  await importHistory(container, run);
  if (signal.aborted) return;
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  if (options.isExit) {
    const record = await recordOf(container, config);
    return printSummary(container, { record, seconds }, terminal);
  }
  const history = await container.database.alerts.last();
  terminal.prose(`History imported in ${seconds} s: ${history?.id ?? 0} alerts in the archive.`);
  terminal.prose(`The eve of the election plays at ${options.speed} times its pace. Ctrl+C ends it.`);
  terminal.line();
  await showAlerts(container, history?.id ?? 0, terminal, signal);
}

/** What `backtest` finds of the same tape. */
async function recordOf({ ingest, database }: Container, config: Config): Promise<RecordReport> {
  const rules = await loadRules(config.detection.rulesFile);
  const asOf = ingest?.status().detector?.time ?? 0;
  return JSON.parse(
    await recordAt(asOf, database, { rules, freeDelayMs: config.freeDelayMs }),
  ) as RecordReport;
}

/** Until the history is in, or with `--exit` the whole tape and what is observed of it. */
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
  if (!signal.aborted) terminal.line(`${action}  ${progressBar(1)}`);
}

function configOf({ speed, shift }: DemoOptions, port: number, folder: string): Config {
  return readConfig({
    PORT: String(port),
    DATABASE_URL: `sqlite:${join(folder, 'tipoff.db')}`,
    MARKET_SOURCE: `replay:${TAPE}`,
    REPLAY_SPEED: String(speed),
    REPLAY_SHIFT: shift === null ? undefined : new Date(shift).toISOString(),
    LOG_LEVEL: 'error',
  });
}

/** The requested or default port; a free one when the default is taken. */
async function portFor({ port }: DemoOptions): Promise<number> {
  const wanted = port ?? DEFAULT_PORT;
  if (await isFree(wanted)) return wanted;
  if (port === null) return 0;
  throw new UserError(`--port: ${port} is taken; choose another, or leave it out for a free one.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listening = once(server, 'listening').then(
    () => true,
    () => false,
  );
  server.listen(port, '127.0.0.1');
  const isListening = await listening;
  server.close();
  return isListening;
}

async function printWelcome({ keys }: Container, address: string, { options, terminal }: Run): Promise<void> {
  const { line, prose, style } = terminal;
  line(style('bold', 'Tipoff: prediction-market trades that look informed'));
  const dates = options.isExit ? 'at their own dates' : 'moved to today';
  prose(`These are real trades of the 2022 US midterms, ${dates}. Nothing here happens now.`);
  line();
  if (options.isExit) return;
  line(`API         ${style('bold', `${address}/api/v1`)}`);
  line(`Stream      ${address.replace('http', 'ws')}/ws/alerts?api_key=…  (pro and enterprise)`);
  line(`Documents   ${address}/docs`);
  const secrets = new Map<Tier, string>();
  for (const tier of TIERS) {
    const issued = await keys.issue({ tier, name: `Demo ${tier}` });
    if (!issued.ok) throw new Error(`no ${tier} key: ${issued.reason}`);
    secrets.set(tier, issued.secret);
    line(`${tier.padEnd(10)}  ${issued.secret}${tier === 'free' ? '  (five minutes behind)' : ''}`);
  }
  line();
  line('Try, in another terminal:');
  for (const path of [
    '/alerts/latest?limit=3',
    '/alerts?min_signal=80&side=BUY',
    '/alerts/preview?min_signal=80',
    '/me',
  ]) {
    line(`curl -H "Authorization: Bearer ${secrets.get('pro')}" "${address}/api/v1${path}"`);
  }
  if (IS_CHECKOUT) line(`TIPOFF_API_KEY=${secrets.get('pro')} npm run -s watch -- --url ${address}`);
  line();
}

await runCommand(DEMO_HELP, demo);
