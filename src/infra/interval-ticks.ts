import { repeat } from '../core/async/repeat.ts';
import type { Clock } from '../core/clock.ts';
import type { TickSource } from '../core/operations/tick-source.ts';

/** Ticks of this process alone, for SQLite, which only one process uses. */
export class IntervalTicks implements TickSource {
  readonly #jobs: readonly string[];
  readonly #clock: Pick<Clock, 'sleep'>;
  readonly #intervalMs: number;
  readonly #stop = new AbortController();

  constructor(jobs: readonly string[], clock: Pick<Clock, 'sleep'>, intervalMs: number) {
    this.#jobs = jobs;
    this.#clock = clock;
    this.#intervalMs = intervalMs;
  }

  async start(onTick: (job: string) => void): Promise<void> {
    void repeat(() => this.#jobs.forEach(onTick), {
      clock: this.#clock,
      signal: this.#stop.signal,
      intervalMs: this.#intervalMs,
    });
  }

  async close(): Promise<void> {
    this.#stop.abort();
  }
}
