import { repeat } from '../core/async/repeat.ts';
import type { Clock } from '../core/clock.ts';
import { MINUTE_MS } from '../core/duration.ts';
import type { Logger } from '../core/logger.ts';
import type { TickSource } from '../core/operations/tick-source.ts';
import { sqliteFile } from './database.ts';

const TICK_MS = MINUTE_MS / 2;

/** What the ticks are for. */
export interface TickOptions {
  /** Names of the jobs. */
  readonly jobs: readonly string[];
  /** Unique process id, used as the owner of locks. */
  readonly owner: string;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  /** Time between two ticks of a job. Default 30 s. */
  readonly tickMs?: number;
}

/**
 * Ticks for the database that `DATABASE_URL` names: on MongoDB each tick goes to one of its processes. Throws a `UserError`
 * when MongoDB is unavailable.
 */
export async function openTickSource(url: string, options: TickOptions): Promise<TickSource> {
  const { jobs, owner, clock, logger, tickMs = TICK_MS } = options;
  if (sqliteFile(url) !== null) return new IntervalTicks(jobs, clock, tickMs);
  // Agenda and the driver take long to load.
  const { connect } = await import('./mongo/connect.ts');
  const { AgendaTicks } = await import('./mongo/agenda-ticks.ts');
  return new AgendaTicks({ connection: await connect(url), jobs, owner, clock, logger, tickMs });
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
