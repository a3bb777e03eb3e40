import { followerOf } from '../../support/followers.ts';
import { START } from '../../support/rows.ts';
import type { Calls } from './store-calls.ts';

const PERSON = { platform: 'telegram', userId: '1' } as const;
const QUESTION = { ...PERSON, action: 'rename_to:key_a', expiresAt: START };
const TIMES = { createdAt: START, dueAt: START, attempts: 0 };
const KEY_MESSAGE = { bot: 'telegram', messageRef: '1:2', request: 'request', ...TIMES } as const;
const FOLLOWER = followerOf('cus_a', { version: 1 });
const HASHES = { previous: '0', hash: '1' };
const ENTRY = { ...HASHES, sequence: 1, at: START, kind: 'rules', subject: 'rules', body: {} } as never;
const COMMAND = { command: 'withdraw', args: '1', actor: 'terminal:a', at: START };
const ASKED = { id: 'req_a', ...COMMAND } as const;
const STATE = { isRaised: true, sentence: 'x', since: START, until: null, raises: 1, isReported: false };
const ALARM = { name: 'feed_blind', ...STATE } as const;

/** As in `CALLS`, of the stores of what keys have, of followers, of conversations, of the log and of operators. */
export const SMALL_CALLS: Pick<
  Calls,
  | 'followers'
  | 'keyMessages'
  | 'questions'
  | 'log'
  | 'operatorAlarms'
  | 'operatorReads'
  | 'operatorRequests'
  | 'secrets'
> = {
  followers: {
    byIds: [['cus_a', 'cus_b']],
    changedSince: [{ since: START, limit: 10, after: { changedAt: START, customerId: 'cus_a' } }],
    counts: [],
    get: ['cus_a'],
    put: [FOLLOWER],
    remove: ['cus_a'],
  },
  keyMessages: {
    add: [KEY_MESSAGE],
    next: ['telegram', 10],
    ofRequest: ['telegram', 'request'],
    postpone: [KEY_MESSAGE, START],
    remove: [KEY_MESSAGE],
    inChats: [['1', '2']],
    removeInChats: [['1', '2']],
  },
  questions: { get: [PERSON], prune: [START], put: [QUESTION], remove: [PERSON] },
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
  operatorAlarms: { list: [], put: [ALARM] },
  operatorReads: {
    callsOn: ['2026-11-20'],
    keysByTier: [START],
    webhookTotals: [],
  },
  operatorRequests: {
    add: [ASKED],
    answer: ['req_a', { state: 'done', answer: 'done' }],
    cancel: ['req_a'],
    get: ['req_a'],
    prune: [START],
    take: ['req_a'],
    waiting: [{ since: START, limit: 10 }],
  },
  secrets: { getOrCreate: ['webhooks', 'x'], get: ['webhooks'], replace: ['webhooks', 'x', 'y'] },
};
