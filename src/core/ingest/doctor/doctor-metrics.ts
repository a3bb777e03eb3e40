import type { ProbeResult } from './probe-result.ts';

/** Metrics of the doctor. */
export interface DoctorMetrics {
  /** Results of an examination; they replace those of the last one. */
  doctorReported(results: readonly ProbeResult[]): void;
}
