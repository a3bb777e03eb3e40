import { parseConfig } from '../config.ts';
import { type DoctorReport, verdictOf } from '../core/doctor/doctor-report.ts';
import { PROBES, type ProbeName, type ProbeResult, probeTitle } from '../core/doctor/probe-result.ts';
import { UserError } from '../core/user-error.ts';
import { RequestBudget } from '../infra/polymarket/client/request-budget.ts';
import { Doctor } from '../infra/polymarket/doctor/doctor.ts';
import { systemClock } from '../infra/system-clock.ts';
import { showResult, showSummary } from './doctor-lines.ts';
import { DOCTOR_HELP, parseDoctorOptions } from './doctor-options.ts';
import { runCli } from './run-cli.ts';
import { createTerminal, type Terminal } from './terminal.ts';

const FAILED = 1;

async function main(args: readonly string[]): Promise<void> {
  const options = parseDoctorOptions(args);
  const output = createTerminal(process.stdout);
  if (options === null) return output.line(DOCTOR_HELP);
  const parsed = parseConfig(process.env);
  if (!parsed.isOk) throw new UserError(parsed.problems.join('\n'));
  const { market } = parsed.config;
  const doctor = new Doctor({
    market,
    budget: new RequestBudget(systemClock),
    clock: systemClock,
    metrics: { upstreamAnswered() {}, upstreamAged() {} },
    random: Math.random,
  });
  const report = await (options.isJson ? examined(doctor) : examinedInPublic(doctor, output));
  if (options.isJson) output.line(JSON.stringify({ verdict: verdictOf(report), ...report }, null, 2));
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

await runCli(() => main(process.argv.slice(2)));
