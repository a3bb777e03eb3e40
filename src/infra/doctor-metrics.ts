import { Gauge, type Registry } from 'prom-client';
import type { Verdict } from '../core/doctor/probe-result.ts';
import type { Metrics } from '../core/metrics/metrics.ts';

const VALUES: Readonly<Record<Verdict, number>> = { pass: 1, warn: 0.5, fail: 0 };

/** Gauges of the last doctor report; a skipped probe has no value. */
export function doctorGauges(registry: Registry): Metrics['doctorReported'] {
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['probe'], registers: [registry] });
  const verdicts = gauge(
    'tipoff_doctor_probe',
    'Whether an assumption about the market holds: 1, in part 0.5, or not 0.',
  );
  const shares = gauge('tipoff_doctor_share', 'What a probe of the doctor measured as a share, 0 to 1.');
  return (results) => {
    verdicts.reset();
    shares.reset();
    for (const { probe, verdict, share } of results) {
      if (verdict !== 'skipped') verdicts.labels(probe).set(VALUES[verdict]);
      if (share !== null) shares.labels(probe).set(share);
    }
  };
}
