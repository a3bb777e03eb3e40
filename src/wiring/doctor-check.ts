import { type DoctorReport, reportSummary, verdictOf } from '../core/doctor/doctor-report.ts';
import type { ProbeResult, Verdict } from '../core/doctor/probe-result.ts';
import type { EpochMs } from '../core/trade.ts';

/** What the doctor found last, as `/readyz` shows it; it decides nothing. `details` are for callers on this machine. */
export interface DoctorCheck {
  readonly ready: true;
  readonly state: Verdict | 'not_run';
  readonly details?: {
    readonly summary: string;
    readonly at: string;
    readonly probes: readonly ProbeResult[];
  };
}

/** `report` is null before the first examination. */
export function doctorCheck(report: DoctorReport | null, now: EpochMs): DoctorCheck {
  if (report === null) return { ready: true, state: 'not_run' };
  const details = {
    summary: reportSummary(report, now),
    at: new Date(report.endedAt).toISOString(),
    probes: report.results,
  };
  return { ready: true, state: verdictOf(report), details };
}
