import type { Clock } from '../clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../duration.ts';
import type { Logger } from '../logger.ts';
import type { EpochMs } from '../trade.ts';
import type { DoctorMetrics } from './doctor-metrics.ts';
import { countsText, type DoctorReport, verdictOf } from './doctor-report.ts';

/** After the feed is live; a feed that does not become live is examined all the same. */
const AFTER_LIVE_MS = MINUTE_MS;
const WITHOUT_LIVE_MS = 5 * MINUTE_MS;
const LOOK_EVERY_MS = 5 * SECOND_MS;
const DAILY_MS = DAY_MS;
/** A failure may have passed. */
const AFTER_FAILURE_MS = HOUR_MS;
/** Waits are up to so much longer. */
const JITTER = 0.1;

/** How the ingest of this process stands: `off` while it stands by or is paused. */
export type FeedPhase = 'off' | 'starting' | 'live';

/** Examines the market; rejects when the signal aborts. */
export interface Examiner {
  examine(signal: AbortSignal): Promise<DoctorReport>;
}

/** When the doctor runs inside the service, and what it found last. */
export class DoctorSchedule {
  readonly #doctor: Examiner;
  readonly #phase: () => FeedPhase;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #logger: Pick<Logger, 'info' | 'warn'>;
  readonly #metrics: Pick<DoctorMetrics, 'doctorReported'>;
  #last: DoctorReport | null = null;

  constructor(deps: {
    readonly doctor: Examiner;
    readonly phase: () => FeedPhase;
    readonly clock: Clock;
    /** From 0 up to 1. */
    readonly random: () => number;
    readonly logger: Pick<Logger, 'info' | 'warn'>;
    readonly metrics: Pick<DoctorMetrics, 'doctorReported'>;
  }) {
    this.#doctor = deps.doctor;
    this.#phase = deps.phase;
    this.#clock = deps.clock;
    this.#random = deps.random;
    this.#logger = deps.logger;
    this.#metrics = deps.metrics;
  }

  /** The last report; null before the first examination of this process ended. */
  last(): DoctorReport | null {
    return this.#last;
  }

  /** A minute after the feed is live, then daily, hourly after a failure; until the signal aborts. Never throws. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#untilExaminable(signal);
      await this.#sleep(AFTER_LIVE_MS, signal);
      if (signal.aborted || this.#phase() === 'off') continue;
      const report = await this.#examine(signal);
      const hasFailed = report === null || verdictOf(report) === 'fail';
      await this.#sleep(hasFailed ? AFTER_FAILURE_MS : DAILY_MS, signal);
    }
  }

  async #untilExaminable(signal: AbortSignal): Promise<void> {
    let startingSince: EpochMs | null = null;
    while (!signal.aborted) {
      const phase = this.#phase();
      const now = this.#clock.now();
      startingSince = phase === 'off' ? null : (startingSince ?? now);
      const isOverdue = startingSince !== null && now - startingSince >= WITHOUT_LIVE_MS;
      if (phase === 'live' || isOverdue) return;
      await this.#clock.sleep(LOOK_EVERY_MS, signal);
    }
  }

  async #examine(signal: AbortSignal): Promise<DoctorReport | null> {
    try {
      const report = await this.#doctor.examine(signal);
      this.#last = report;
      this.#metrics.doctorReported(report.results);
      for (const { probe, verdict, seen, action } of report.results)
        if (verdict === 'fail') this.#logger.warn({ probe, seen, action }, 'doctor: a probe failed');
      this.#logger.info({ result: countsText(report) }, 'doctor: the market was examined');
      return report;
    } catch (error) {
      if (!signal.aborted) this.#logger.warn({ err: error }, 'doctor: the examination failed');
      return null;
    }
  }

  #sleep(ms: number, signal: AbortSignal): Promise<void> {
    return this.#clock.sleep(ms * (1 + JITTER * this.#random()), signal);
  }
}
