import { RequestBudget } from '../infra/market/polymarket/client/request-budget.ts';
import { Doctor } from '../infra/market/polymarket/doctor/doctor.ts';
import {
  countsText,
  type DoctorReport,
  PROBES,
  type ProbeName,
  type ProbeResult,
  probeTitle,
  verdictOf,
} from '../infra/market/polymarket/doctor/doctor-report.ts';
import { systemClock } from '../infra/process/system-clock.ts';
import { noLogger } from '../infra/telemetry/no-logger.ts';
import { proxyWords } from '../wiring/proxy-words.ts';
import { commandOf, readConfig } from './command.ts';
import { createTerminal, showVerdict, type Terminal, verdictHang } from './terminal.ts';

const FAILED = 1;
const WIDTH = Math.max(...PROBES.map((probe) => probe.length));
const HANG = verdictHang(WIDTH);

export const doctorCommand = commandOf({
  about:
    'Checks that the market still behaves as this program assumes: each probe passes, warns or fails, and says what to do.',
  usage: 'doctor [--json]',
  options: { json: { type: 'boolean', help: 'the report as JSON on standard output' } },
  notes: `It needs no database and takes up to a minute, with 2 % of what the market allows. It reads the settings
POLYMARKET_DATA_URL, POLYMARKET_GAMMA_URL, POLYMARKET_STREAM_URL, POLYMARKET_CLOB_URL, POLYGON_RPC_URL,
HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY.
Exit codes: 0 nothing failed, 1 a probe failed, 2 wrong usage.`,
  run: ({ json = false }) => examine(json),
});

async function examine(isJson: boolean): Promise<void> {
  const output = createTerminal(process.stdout);
  const config = readConfig(process.env);
  const proxies = proxyWords(config);
  if (proxies !== null && !isJson) output.prose(`${proxies}\n`);
  const doctor = new Doctor({
    market: { ...config.market, proxies: config.proxy },
    budget: new RequestBudget(systemClock, noLogger),
    clock: systemClock,
    metrics: { upstreamAnswered() {}, upstreamReceived() {}, upstreamAged() {} },
    random: Math.random,
  });
  const report = await (isJson ? doctor.examine(NEVER) : examinedInPublic(doctor, output));
  if (isJson) output.line(JSON.stringify({ verdict: verdictOf(report), proxies, ...report }, null, 2));
  else showSummary(output, report);
  if (verdictOf(report) === 'fail') process.exitCode = FAILED;
}

/** Ctrl-C ends the process: there is nothing to put away. */
const NEVER = new AbortController().signal;

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
  return doctor.examine(NEVER, (result) => {
    awaited.delete(result.probe);
    showResult(terminal, result);
    progress();
  });
}

function showResult(terminal: Terminal, { probe, verdict, seen, details = [] }: ProbeResult): void {
  showVerdict(terminal, verdict, probeTitle(probe).padEnd(WIDTH), seen);
  for (const detail of details) terminal.line(terminal.style('dim', `${' '.repeat(HANG)}${detail}`));
}

function showSummary(terminal: Terminal, report: DoctorReport): void {
  terminal.line();
  terminal.prose(`${countsText(report)}, in ${Math.round((report.endedAt - report.startedAt) / 1_000)} s.`);
  for (const { probe, action } of report.results)
    if (action !== null) terminal.prose(`${probeTitle(probe)}: ${action}`, 2);
}
