import { START } from '../../support/rows.ts';
import type { Calls } from './store-calls.ts';

const COMMAND = { command: 'withdraw', args: '1', actor: 'terminal:a', at: START };
const REQUEST = { id: 'req_a', needs: 'bots', ...COMMAND } as const;
const STATE = { isRaised: true, sentence: 'x', since: START, until: null, raises: 1, isReported: false };
const ALARM = { name: 'feed_blind', ...STATE } as const;

/** As `CALLS`, of the stores of the operator. */
export const OPERATOR_CALLS: Pick<
  Calls,
  'operatorAlarms' | 'operatorReads' | 'operatorRequests' | 'secrets'
> = {
  operatorAlarms: {
    list: (alarms) => alarms.list(),
    put: (alarms) => alarms.put(ALARM),
  },
  operatorReads: {
    callsOn: (reads) => reads.callsOn('2026-11-20'),
    keysByTier: (reads) => reads.keysByTier(START),
    keysNamed: (reads) => reads.keysNamed('desk', 10),
    webhookTotals: (reads) => reads.webhookTotals(),
  },
  operatorRequests: {
    add: (requests) => requests.add(REQUEST),
    answer: (requests) => requests.answer('req_a', { state: 'done', answer: 'done' }),
    cancel: (requests) => requests.cancel('req_a'),
    get: (requests) => requests.get('req_a'),
    prune: (requests) => requests.prune(START),
    take: (requests) => requests.take('req_a'),
    waiting: (requests) => requests.waiting({ needs: 'bots', since: START, limit: 10 }),
  },
  secrets: {
    getOrCreate: (secrets) => secrets.getOrCreate('webhooks', 'x'),
    get: (secrets) => secrets.get('webhooks'),
    replace: (secrets) => secrets.replace('webhooks', 'x', 'y'),
  },
};
