import { parseArgs } from 'node:util';
import {
  countsText,
  type DoctorReport,
  PROBES,
  type ProbeName,
  type ProbeResult,
  probeTitle,
  verdictOf,
} from '../core/ingest/doctor/doctor-report.ts';
import { RequestBudget } from '../infra/market/polymarket/client/request-budget.ts';
import { Doctor } from '../infra/market/polymarket/doctor/doctor.ts';
import { PROGRAM } from '../infra/process/program.ts';
import { systemClock } from '../infra/process/system-clock.ts';
import { noLogger } from '../infra/telemetry/no-logger.ts';
import { readConfig } from './read-config.ts';
import { runCommand } from './run-cli.ts';
import { createTerminal, type Terminal } from './terminal.ts';
import { showVerdict, verdictHang } from './verdict-line.ts';

const FAILED = 1;
const WIDTH = Math.max(...PROBES.map((probe) => probe.length));
const HANG = verdictHang(WIDTH);

async function main(args: string[]): Promise<void> {
  const isJson = parseArgs({ args, options: { json: { type: 'boolean' } } }).values.json === true;
  const output = createTerminal(process.stdout);
  const doctor = new Doctor({
    market: readConfig(process.env).market,
    budget: new RequestBudget(systemClock, noLogger),
    clock: systemClock,
    metrics: { upstreamAnswered() {}, upstreamAged() {} },
    random: Math.random,
  });
  const report = await (isJson ? examined(doctor) : examinedInPublic(doctor, output));
  if (isJson) output.line(JSON.stringify({ verdict: verdictOf(report), ...report }, null, 2));
  else showSummary(output, report);
  if (verdictOf(report) === 'fail') process.exitCode = FAILED;
}

/** Ctrl-C ends the process: there is nothing to put away. */
const examined = (doctor: Doctor, onResult?: (result: ProbeResult) => void): Promise<DoctorReport> =>
  doctor.examine(new AbortController().signal, onResult);

/** A line for each probe as it ends, and those that are awaited below. */
function examinedInPublic(doctor: Doctor, terminal: Terminal): Promise<DoctorReport> {
  const awaited = new Set<ProbeName>(PROBES);
  const progress = () => {
    const [next] = awaited;
    if (next === undefined) return;
    const done = PROBES.length - awaited.size;
    // Short: a line that wraps cannot be replaced.
    terminal.progress(`… ${done} of ${PROBES.length} done, waiting for ${probeTitle(next)}`);
  };
  progress();
  return examined(doctor, (result) => {
    awaited.delete(result.probe);
    showResult(terminal, result);
    progress();
  });
}

/** `pass  freshness          the newest row was 6.1 s old`. */
function showResult(terminal: Terminal, { probe, verdict, seen, details = [] }: ProbeResult): void {
  showVerdict(terminal, verdict, probeTitle(probe).padEnd(WIDTH), seen);
  for (const detail of details) terminal.line(terminal.style('dim', `${' '.repeat(HANG)}${detail}`));
}

/** How many passed, and what to do about the others. */
function showSummary(terminal: Terminal, report: DoctorReport): void {
  terminal.line();
  terminal.prose(`${countsText(report)}, in ${Math.round((report.endedAt - report.startedAt) / 1_000)} s.`);
  for (const { probe, action } of report.results)
    if (action !== null) terminal.prose(`${probeTitle(probe)}: ${action}`, 2);
}

const DOCTOR_HELP = `Examines whether the market is as this program assumes: each probe passes, warns or fails, and says what to do.

Usage: ${PROGRAM} doctor [--json]

  --json   the report as JSON on standard output
  --help   this text

  It needs no database and takes up to a minute, with 2 % of what the market allows. It reads the settings
  POLYMARKET_DATA_URL, POLYMARKET_GAMMA_URL, POLYMARKET_STREAM_URL, POLYMARKET_CLOB_URL and POLYGON_RPC_URL.
  Exit codes: 0 nothing failed, 1 a probe failed, 2 wrong usage.`;

await runCommand(DOCTOR_HELP, main);
