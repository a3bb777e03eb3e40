import type { EpochMs } from '../../base/time/duration.ts';
import type { AlertIndex } from '../alert-index/alert-index.ts';
import { knownEvents } from '../alert-index/alert-reader.ts';
import type { LogStore } from '../log/log-store.ts';
import type { Markets } from '../markets.ts';
import { type Exit, type ExitFilter, exitOfEntry } from './exit.ts';

/** The exits of all threads: the entries of that kind. Each method throws what the stores throw. */
export interface Exits {
  /** The number of the newest one created until then; 0 without one. */
  last(until?: EpochMs): Promise<number>;
  /** Exits with a larger number, ascending, at most `limit`. */
  after(number: number, limit: number, filter?: ExitFilter): Promise<readonly Exit[]>;
  /** All exits of threads, by their first alerts, ascending; none created after `until`. */
  ofThreads(threadIds: readonly number[], until?: EpochMs): Promise<readonly Exit[]>;
  /** Whether the log says between two entries that nothing more is claimed about earlier positions (`rules`). */
  isLost(between: { readonly after: number; readonly upto: number }): Promise<boolean>;
}

interface Source {
  readonly index: AlertIndex;
  readonly log: Pick<LogStore, 'some'>;
  readonly markets: Pick<Markets, 'eventsOf'>;
}

/** The exits that the index has, as their entries state them. */
export function exitsIn({ index, log, markets }: Source): Exits {
  const read = async (sequences: readonly number[]): Promise<readonly Exit[]> => {
    if (sequences.length === 0) return [];
    const exits = (await log.some(sequences)).map(exitOfEntry);
    const eventOf = await knownEvents({ index, markets }, exits);
    return exits.map((exit) => ({ ...exit, marketEvent: eventOf(exit) }));
  };
  return {
    async last(until) {
      await index.upToDate();
      return index.exits.last(until);
    },
    async after(number, limit, filter = {}) {
      await index.upToDate();
      return read(index.exits.after(number, limit, filter));
    },
    async isLost({ after, upto }) {
      await index.upToDate();
      return index.positionsLost.some((seq) => seq > after && seq <= upto);
    },
    async ofThreads(threadIds, until) {
      await index.upToDate();
      return read(index.exits.ofThreads(threadIds, until));
    },
  };
}

/** The newest alert of the thread at the time of the exit. */
export function newestAlertOf({ alertIds }: Pick<Exit, 'alertIds'>): number {
  return alertIds.at(-1) ?? 0;
}
