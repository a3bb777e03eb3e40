import type { EpochMs } from '../../src/core/base/time/duration.ts';
import {
  type DoctorReport,
  PROBES,
  type ProbeFinding,
  type ProbeName,
} from '../../src/core/ingest/doctor/doctor-report.ts';

/** A report in which every probe passed but those named. */
export function reportAt(
  endedAt: EpochMs,
  others: Readonly<Partial<Record<ProbeName, Partial<ProbeFinding>>>> = {},
): DoctorReport {
  const results = PROBES.map((probe) => {
    const finding: ProbeFinding = { verdict: 'pass', seen: 'as assumed', share: null, ...others[probe] };
    const isWell = finding.verdict === 'pass' || finding.verdict === 'skipped';
    return { probe, ...finding, action: isWell ? null : `Mend the ${probe}.` };
  });
  return { startedAt: endedAt - 20_000, endedAt, results };
}
