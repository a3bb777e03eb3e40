import type { LogEntry } from '../../../core/alerts/log/log-entry.ts';
import type { LogStore } from '../../../core/alerts/log/log-store.ts';
import type { Collection, Declaration, FindQuery, OpenCollection } from './collection.ts';

export const LOG: Declaration<LogEntry> = {
  name: 'log',
  fields: {
    sequence: 'integer',
    at: 'integer',
    kind: 'text',
    subject: 'text',
    previous: 'text',
    hash: 'text',
    body: 'json',
  },
  key: 'sequence',
  isAppendOnly: true,
  indexes: {
    log_by_time: { fields: ['at', 'sequence'] },
    log_by_subject: { fields: ['subject', 'sequence'] },
    log_by_kind: { fields: ['kind', 'sequence'] },
  },
};

// Named, as a range of the key would be read instead.
const KIND_INDEX = 'log_by_kind';
const SUBJECT_INDEX = 'log_by_subject';
const ASCENDING = { sort: ['sequence'], isCommitted: true } as const;
const FIRST = { limit: 1, isCommitted: true } as const;

/** Inserts and reads only. What is read was acknowledged by a majority: it must never be rolled back. */
export function createLogStore(open: OpenCollection, openRestorable: OpenCollection): LogStore {
  const log = open(LOG);

  async function newest(query: FindQuery<LogEntry>): Promise<LogEntry | null> {
    return (await log.find({ ...query, sort: ['-sequence'], ...FIRST }))[0] ?? null;
  }

  return {
    append: createAppend(log, openRestorable(LOG)),
    last: () => newest({}),
    async headAt(until) {
      const query = { where: { at: { lte: until } }, sort: ['-at', '-sequence'], ...FIRST } as const;
      return (await log.pick(['sequence', 'hash', 'at'], query))[0] ?? null;
    },
    after: (sequence, limit) => log.find({ where: { sequence: { gt: sequence } }, ...ASCENDING, limit }),
    async sequencesOf(kind, { after, upto, limit }) {
      const where = { kind, sequence: { gt: after, lte: upto } };
      const found = await log.pick(['sequence'], { where, ...ASCENDING, limit, index: KIND_INDEX });
      return found.map(({ sequence }) => sequence);
    },
    some: (sequences) => log.find({ where: { sequence: { in: sequences } }, ...ASCENDING }),
    lastAbout: (subject, before) =>
      before === undefined
        ? newest({ where: { subject } })
        : newest({ where: { subject, sequence: { lt: before } }, index: SUBJECT_INDEX }),
    lastOf: (kind) => newest({ where: { kind } }),
  };
}

function createAppend(log: Collection<LogEntry>, restorable: Collection<LogEntry>): LogStore['append'] {
  return async (entries, { isRestorable } = { isRestorable: false }) => {
    const { sequence = 1 } = entries[0] ?? {};
    const [last] = await log.pick(['sequence'], {
      where: { sequence: { gte: sequence - 1 } },
      sort: ['-sequence'],
      limit: 1,
    });
    const end = last?.sequence ?? 0;
    if (end >= sequence) return 'taken';
    if (end < sequence - 1)
      throw new Error(`log: no entry ${sequence - 1}, so that ${sequence} cannot be appended`);
    try {
      return (await (isRestorable ? restorable : log).insertInOrder(entries)) ? 'appended' : 'taken';
    } catch (error) {
      // By a concurrent call: SQLite refuses whatever is not the next entry.
      if ((await log.find({ where: { sequence } })).length > 0) return 'taken';
      throw error;
    }
  };
}
