import { repeat } from '../../core/base/async/repeat.ts';
import type { Clock } from '../../core/base/time/clock.ts';
import { MINUTE_MS, SECOND_MS } from '../../core/base/time/duration.ts';
import type { TickSource } from '../../core/operations/job-run-store.ts';
import { sqliteFile } from './database.ts';
import type { TickOptions } from './mongo/agenda-ticks.ts';

const TICK_MS = MINUTE_MS / 2;
/** Jobs that are due at the start do not slow it down. */
const FIRST_TICK_MS = 5 * SECOND_MS;

/** Ticks for this database. Throws when MongoDB is unavailable. */
export async function openTickSource(url: string, options: TickOptions): Promise<TickSource> {
  const { jobs, clock, tickMs = TICK_MS } = options;
  if (sqliteFile(url) !== null) return new IntervalTicks(jobs, clock, tickMs);
  // Agenda and the driver take long to load.
  const { connect } = await import('./mongo/connect.ts');
  const { AgendaTicks } = await import('./mongo/agenda-ticks.ts');
  return new AgendaTicks(await connect(url), { ...options, tickMs });
}

/** Ticks of this process alone, for SQLite, which only one process uses. */
class IntervalTicks implements TickSource {
  readonly #jobs: readonly string[];
  readonly #clock: Pick<Clock, 'sleep'>;
  readonly #intervalMs: number;
  readonly #stop = new AbortController();

  constructor(jobs: readonly string[], clock: Pick<Clock, 'sleep'>, intervalMs: number) {
    this.#jobs = jobs;
    this.#clock = clock;
    this.#intervalMs = intervalMs;
  }

  async start(run: (job: string) => Promise<void>): Promise<void> {
    void this.#begin(run);
  }

  async close(): Promise<void> {
    this.#stop.abort();
  }

  async #begin(run: (job: string) => Promise<void>): Promise<void> {
    const { signal } = this.#stop;
    await this.#clock.sleep(Math.min(FIRST_TICK_MS, this.#intervalMs), signal);
    // A job that takes long delays no other. `run` logs its failure.
    const runAll = () => this.#jobs.forEach((job) => void run(job).catch(() => {}));
    await repeat(runAll, { clock: this.#clock, signal, intervalMs: this.#intervalMs });
  }
}
