import { START } from '../../support/rows.ts';
import type { Calls } from './store-calls.ts';

const HASHES = { previous: '0', hash: '1' };
const ENTRY = { ...HASHES, sequence: 1, at: START, kind: 'rules', subject: 'rules', body: {} } as never;

/** As in `CALLS`, of the log. */
export const SMALL_CALLS: Pick<Calls, 'log'> = {
  log: {
    after: [1, 10],
    append: [[ENTRY]],
    headAt: [START],
    last: [],
    lastAbout: async (log) => {
      await log.lastAbout('alert:1', 7);
      return log.lastAbout('alert:1');
    },
    sequencesOf: ['outcome', { after: 1, upto: 9, limit: 10 }],
    some: [[1, 2]],
    lastOf: ['rules'],
  },
};
