import { countsText, type DoctorReport } from '../core/doctor/doctor-report.ts';
import { PROBES, type ProbeResult, probeTitle } from '../core/doctor/probe-result.ts';
import type { Terminal } from './terminal.ts';
import { showVerdict, verdictHang } from './verdict-line.ts';

const WIDTH = Math.max(...PROBES.map((probe) => probe.length));
const HANG = verdictHang(WIDTH);

/** `pass  freshness          the newest row was 6.1 s old`. */
export function showResult(terminal: Terminal, { probe, verdict, seen, details = [] }: ProbeResult): void {
  showVerdict(terminal, verdict, probeTitle(probe).padEnd(WIDTH), seen);
  for (const detail of details) terminal.line(terminal.style('dim', `${' '.repeat(HANG)}${detail}`));
}

/** How many passed, and what to do about the others. */
export function showSummary(terminal: Terminal, report: DoctorReport): void {
  terminal.line();
  terminal.prose(`${countsText(report)}, in ${Math.round((report.endedAt - report.startedAt) / 1_000)} s.`);
  for (const { probe, action } of report.results)
    if (action !== null) terminal.prose(`${probeTitle(probe)}: ${action}`, 2);
}
