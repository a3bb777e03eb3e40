import type { OperatorAlarm, OperatorAlarmStore } from '../../../core/operations/operator-alarm.ts';
import type { OperatorRequest, OperatorRequestStore } from '../../../core/operations/operator-request.ts';
import type { Declaration, OpenCollection } from './collection.ts';

const REQUESTS: Declaration<OperatorRequest> = {
  name: 'operator_requests',
  fields: {
    id: 'text',
    needs: 'text',
    command: 'text',
    args: 'text',
    actor: 'text',
    at: 'integer',
    state: 'text',
    answer: 'text?',
  },
  key: ['id'],
  indexes: {
    operator_requests_by_state: { fields: ['state', 'needs', 'at'] },
    operator_requests_by_time: { fields: ['at'] },
  },
};

export function createOperatorRequestStore(open: OpenCollection): OperatorRequestStore {
  const requests = open(REQUESTS);
  const change = async (where: Pick<OperatorRequest, 'id' | 'state'>, set: Partial<OperatorRequest>) =>
    (await requests.update(where, { set })) === 1;
  return {
    add: async (request) => void (await requests.insertNew([{ ...request, state: 'waiting', answer: null }])),
    get: (id) => requests.get(id),
    waiting: ({ needs, since, limit }) =>
      requests.find({ where: { state: 'waiting', needs, at: { gte: since } }, sort: ['at'], limit }),
    take: (id) => change({ id, state: 'waiting' }, { state: 'running' }),
    cancel: (id) => change({ id, state: 'waiting' }, { state: 'cancelled' }),
    answer: async (id, answer) => void (await change({ id, state: 'running' }, answer)),
    prune: async (before) => void (await requests.delete({ at: { lt: before } })),
  };
}

const ALARMS: Declaration<OperatorAlarm> = {
  name: 'operator_alarms',
  fields: {
    name: 'text',
    isRaised: 'boolean',
    sentence: 'text',
    since: 'integer',
    until: 'integer?',
    raises: 'integer',
    isReported: 'boolean',
  },
  key: ['name'],
};

export function createOperatorAlarmStore(open: OpenCollection): OperatorAlarmStore {
  const alarms = open(ALARMS);
  return {
    list: () => alarms.find({ sort: ['name'] }),
    put: async (alarm) => void (await alarms.put(alarm)),
  };
}
