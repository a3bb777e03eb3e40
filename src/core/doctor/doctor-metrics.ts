import type { ProbeResult } from './probe-result.ts';

/** Metrics of the doctor. */
export interface DoctorMetrics {
  /** What the doctor found; it replaces what it found before. */
  doctorReported(results: readonly ProbeResult[]): void;
}
