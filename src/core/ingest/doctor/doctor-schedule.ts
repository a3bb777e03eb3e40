import { repeat, repeatUntil } from '../../base/async/repeat.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time/clock.ts';
import { DAY_MS, type EpochMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../base/time/duration.ts';
import { countsText, type DoctorReport, type ProbeResult, verdictOf } from './doctor-report.ts';

/** Pause after the feed is live. A feed that does not become live is examined after 5 minutes. */
const AFTER_LIVE_MS = MINUTE_MS;
const WITHOUT_LIVE_MS = 5 * MINUTE_MS;
const CHECK_EVERY_MS = 5 * SECOND_MS;
/** A failure may have been temporary. */
const AFTER_FAILURE_MS = HOUR_MS;
/** Pauses are longer by up to this share. */
const JITTER = 0.1;

/** State of this process's ingest: `off` while it stands by or is paused. */
export type FeedPhase = 'off' | 'starting' | 'live';

/** Examines the market; rejects when the signal aborts. */
export interface Examiner {
  examine(signal: AbortSignal): Promise<DoctorReport>;
}

interface DoctorScheduleOptions {
  readonly doctor: Examiner;
  readonly phase: () => FeedPhase;
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly metrics: Pick<DoctorMetrics, 'doctorReported'>;
}

/** Runs the doctor inside the service and keeps its last report. */
export class DoctorSchedule {
  readonly #options: DoctorScheduleOptions;
  #last: DoctorReport | null = null;

  constructor(options: DoctorScheduleOptions) {
    this.#options = options;
  }

  /** The last report; null before the first examination of this process ended. */
  last(): DoctorReport | null {
    return this.#last;
  }

  /** Examines a minute after the feed is live, then daily, hourly after a failure, until the signal aborts. Never throws. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    let pauseMs = 0;
    const examine = async () => {
      pauseMs = await this.#examineOnceLive(signal);
    };
    await repeat(examine, { clock, signal, intervalMs: () => this.#withJitter(pauseMs) });
  }

  async #examineOnceLive(signal: AbortSignal): Promise<number> {
    const { clock, phase } = this.#options;
    await this.#untilExaminable(signal);
    await clock.sleep(this.#withJitter(AFTER_LIVE_MS), signal);
    if (signal.aborted || phase() === 'off') return 0;
    const report = await this.#examine(signal);
    return report === null || verdictOf(report) === 'fail' ? AFTER_FAILURE_MS : DAY_MS;
  }

  async #untilExaminable(signal: AbortSignal): Promise<void> {
    const { clock, phase } = this.#options;
    let startingSince: EpochMs | null = null;
    const isExaminable = () => {
      const current = phase();
      const now = clock.now();
      startingSince = current === 'off' ? null : (startingSince ?? now);
      return current === 'live' || (startingSince !== null && now - startingSince >= WITHOUT_LIVE_MS);
    };
    await repeatUntil(isExaminable, { clock, signal, intervalMs: CHECK_EVERY_MS });
  }

  async #examine(signal: AbortSignal): Promise<DoctorReport | null> {
    const { doctor, logger, metrics } = this.#options;
    try {
      const report = await doctor.examine(signal);
      this.#last = report;
      metrics.doctorReported(report.results);
      for (const { probe, verdict, seen, action } of report.results)
        if (verdict === 'fail') logger.warn({ probe, seen, action }, 'doctor: a probe failed');
      logger.info({ result: countsText(report) }, 'doctor: examination finished');
      return report;
    } catch (error) {
      if (!signal.aborted) logger.warn({ err: error }, 'doctor: examination failed');
      return null;
    }
  }

  #withJitter(ms: number): number {
    return ms * (1 + JITTER * this.#options.random());
  }
}

/** Metrics of the doctor. */
export interface DoctorMetrics {
  /** Results of an examination; they replace those of the last one. */
  doctorReported(results: readonly ProbeResult[]): void;
}
