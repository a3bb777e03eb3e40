import type { Verdict } from '../../core/ingest/doctor/probe-result.ts';
import type { Metrics } from '../../core/metrics.ts';
import type { MetricFactory } from './metric-factory.ts';

const VALUES: Readonly<Record<Verdict, number>> = { pass: 1, warn: 0.5, fail: 0 };

/** Gauges of the last doctor report; a skipped probe has no value. */
export function doctorGauges(create: MetricFactory): Metrics['doctorReported'] {
  const holds = 'Whether an assumption about the market holds: 1, in part 0.5, or not 0.';
  const verdicts = create.gaugeOf('doctor_probe', holds, ['probe']);
  const measured = 'What a probe of the doctor measured as a share, 0 to 1.';
  const shares = create.gaugeOf('doctor_share', measured, ['probe']);
  return (results) => {
    verdicts.reset();
    shares.reset();
    for (const { probe, verdict, share } of results) {
      if (verdict !== 'skipped') verdicts.labels(probe).set(VALUES[verdict]);
      if (share !== null) shares.labels(probe).set(share);
    }
  };
}
