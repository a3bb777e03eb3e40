import { START } from '../../support/rows.ts';
import type { Calls } from './store-calls.ts';

const HASHES = { previous: '0', hash: '1' };
const ENTRY = { ...HASHES, sequence: 1, at: START, kind: 'rules', subject: 'rules', body: {} } as never;

/** Every method of the store of the log, as in `CALLS`. */
export const LOG_CALLS: Pick<Calls, 'log'> = {
  log: {
    after: (log) => log.after(1, { limit: 10, before: START }),
    append: (log) => log.append(ENTRY),
    firstSince: (log) => log.firstSince(START),
    headAt: (log) => log.headAt(START),
    last: (log) => log.last(),
    lastAbout: async (log) => {
      await log.lastAbout('alert:1', 7);
      return log.lastAbout('alert:1');
    },
    sequencesOf: (log) => log.sequencesOf('outcome', { after: 1, upto: 9, limit: 10 }),
    some: (log) => log.some([1, 2]),
    lastOf: (log) => log.lastOf('rules'),
  },
};
