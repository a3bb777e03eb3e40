import { Agenda, type AgendaBackend } from 'agenda';
import { withTimeout } from '../src/core/async/with-timeout.ts';
import type { Clock } from '../src/core/clock.ts';
import { MINUTE_MS, SECOND_MS } from '../src/core/duration.ts';
import type { Logger } from '../src/core/logger.ts';

/** How often each job is looked at, and how often Agenda looks whether that is due. */
export interface Pace {
  readonly tickMs: number;
  readonly processEveryMs: number;
}

const PACE: Pace = { tickMs: MINUTE_MS / 2, processEveryMs: 5 * SECOND_MS };
/** A tick takes a moment; one that was locked by a process that died is free again after this. */
const LOCK_MS = 30 * SECOND_MS;
/** A database that hangs does not hold up the end of the process. */
const STOP_TIMEOUT_MS = SECOND_MS;

export interface TicksDeps {
  /** Not connected yet. */
  readonly backend: AgendaBackend;
  readonly names: readonly string[];
  /** Called for each name at each of its ticks; must neither wait nor throw. */
  readonly onTick: (name: string) => void;
  readonly owner: string;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly pace: Pace | undefined;
}

/** A clock that is shared by all processes on a database: each name's tick goes to one of them. */
export interface Ticks {
  /** Throws when the backend cannot be reached. */
  start(): Promise<void>;
  /** No tick comes afterwards; the backend is disconnected. */
  close(): Promise<void>;
}

/**
 * Agenda gives the ticks and nothing else: what is due and what is done is told by the runs, so a tick that comes
 * twice, late or from two documents does no harm.
 */
export function createAgendaTicks({
  backend,
  names,
  onTick,
  owner,
  clock,
  logger,
  pace = PACE,
}: TicksDeps): Ticks {
  let agenda: Agenda | null = null;
  let isClosed = false;
  const warn = (err: unknown) => {
    if (!isClosed) logger.warn({ err }, 'Agenda could not reach its database; trying again');
  };

  return {
    async start() {
      await backend.connect();
      agenda = new Agenda({
        backend: steady(backend, warn),
        name: owner,
        processEvery: pace.processEveryMs,
        // Without limits Agenda locks everything that is due before it runs any of it.
        lockLimit: names.length,
        defaultLockLimit: 1,
        maxConcurrency: names.length,
        defaultConcurrency: 1,
        defaultLockLifetime: LOCK_MS,
      });
      agenda.on('error', warn);
      for (const name of names)
        agenda.define(name, async () => {
          if (!isClosed) onTick(name);
        });
      await agenda.start();
      // Also frees a tick that a process locked before it died.
      for (const name of names) await agenda.every(pace.tickMs, name);
    },
    async close() {
      isClosed = true;
      try {
        if (agenda !== null) await withTimeout({ clock, timeoutMs: STOP_TIMEOUT_MS }, agenda.stop(false));
      } catch (err) {
        logger.warn({ err }, 'ticks could not be freed; they are in half a minute');
      }
      await backend.disconnect();
    },
  };
}

/**
 * The connected backend as Agenda can bear it: it leaves a failed connect and a failed unlock unhandled, which would end
 * the process.
 */
function steady(backend: AgendaBackend, onError: (error: unknown) => void): AgendaBackend {
  const { repository } = backend;
  const unlockJob: typeof repository.unlockJob = (job) => repository.unlockJob(job).catch(onError);
  return {
    name: backend.name,
    ownsConnection: false,
    connect: async () => {},
    disconnect: async () => {},
    repository: Object.assign(Object.create(repository) as typeof repository, { unlockJob }),
  };
}
