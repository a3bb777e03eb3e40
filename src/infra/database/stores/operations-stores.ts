import { TIERS, type Tier } from '../../../core/accounts/tier.ts';
import type { AuditEntry, AuditLog, OperatorReads } from '../../../core/operations/audit-log.ts';
import type { JobRun, JobRunStore } from '../../../core/operations/job-run-store.ts';
import type { OperatorAlarm, OperatorAlarmStore } from '../../../core/operations/operator-alarm.ts';
import type { OperatorRequest, OperatorRequestStore } from '../../../core/operations/operator-request.ts';
import type { Pause, PauseStore } from '../../../core/operations/pause-flags.ts';
import type { SecretStore } from '../../../core/operations/secret-store.ts';
import type { WorkerReport, WorkerStore } from '../../../core/operations/worker-report.ts';
import type { Declaration, OpenCollection, Sort } from './collection.ts';
import { KEYS, USAGE } from './key-store.ts';

export const AUDIT: Declaration<AuditEntry> = {
  name: 'audit',
  fields: { seq: 'integer', at: 'integer', actor: 'text', command: 'text', args: 'text', outcome: 'text' },
  key: ['seq'],
  isAppendOnly: true,
};

/** Inserts and reads only. Triggers of SQLite refuse changes, removals, and an entry that is not the newest. */
export function createAuditLog(open: OpenCollection): AuditLog {
  const audit = open(AUDIT);
  return {
    append: async (entry) => void (await audit.append(entry)),
    list: ({ limit, before = Number.MAX_SAFE_INTEGER }) =>
      audit.find({ where: { seq: { lt: before } }, sort: ['-seq'], limit }),
  };
}

const PAUSES: Declaration<Pause> = {
  name: 'switches',
  fields: { name: 'text', at: 'integer', by: 'text' },
  key: ['name'],
};

export function createPauseStore(open: OpenCollection): PauseStore {
  const pauses = open(PAUSES);
  return {
    list: () => pauses.find({ sort: ['name'] }),
    pause: async (pause) => (await pauses.insertNew([pause])).length === 1,
    resume: async (name) => (await pauses.delete({ name })) === 1,
  };
}

const SECRETS: Declaration<{ readonly name: string; readonly secret: string }> = {
  name: 'secrets',
  fields: { name: 'text', secret: 'text' },
  key: ['name'],
};

export function createSecretStore(open: OpenCollection): SecretStore {
  const secrets = open(SECRETS);
  return {
    async getOrCreate(name, candidate) {
      await secrets.insertNew([{ name, secret: candidate }]);
      // That of another process once a majority has it: secrets derived from it must not change.
      for (;;) {
        const [found] = await secrets.find({ where: { name }, isCommitted: true });
        if (found !== undefined) return found.secret;
      }
    },
    get: async (name) => (await secrets.get(name))?.secret ?? null,
    async replace(name, current, secret) {
      if (current === null) return (await secrets.insertNew([{ name, secret }])).length === 1;
      return (await secrets.update({ name, secret: current }, { set: { secret } })) === 1;
    },
  };
}

const NAME = 'worker';
const WORKER: Declaration<WorkerReport & { readonly name: typeof NAME }> = {
  name: 'worker',
  fields: { name: 'text', owner: 'text', at: 'integer', address: 'text', checks: 'json' },
  key: ['name'],
};

export function createWorkerStore(open: OpenCollection): WorkerStore {
  const reports = open(WORKER);
  return {
    async get() {
      const found = await reports.get(NAME);
      if (found === null) return null;
      const { name, ...report } = found;
      return report;
    },
    put: async (report) => void (await reports.put({ name: NAME, ...report })),
    remove: async (owner) => void (await reports.delete({ name: NAME, owner })),
  };
}

const JOB_RUNS: Declaration<JobRun> = {
  name: 'job_runs',
  fields: {
    job: 'text',
    period: 'text',
    startedAt: 'integer',
    endedAt: 'integer?',
    outcome: 'text?',
    isFailed: 'boolean',
  },
  key: ['job', 'period'],
  separator: ' ',
  indexes: { job_runs_by_start: { fields: ['job', 'startedAt', 'period'] } },
};

const NEWEST_RUN_FIRST: Sort<JobRun> = ['-startedAt', '-period'];

export function createJobRunStore(open: OpenCollection): JobRunStore {
  const runs = open(JOB_RUNS);

  async function latest(): Promise<JobRun[]> {
    const newest: JobRun[] = [];
    for (let job = ''; ; ) {
      const [next] = await runs.pick(['job'], { where: { job: { gt: job } }, sort: ['job'], limit: 1 });
      if (next === undefined) return newest;
      job = next.job;
      newest.push(...(await runs.find({ where: { job }, sort: NEWEST_RUN_FIRST, limit: 1 })));
    }
  }

  return {
    async begin(begun, mayBeginAgain) {
      const run = { ...begun, endedAt: null, outcome: null, isFailed: false };
      const { job, period } = run;
      const found = await runs.get(job, period);
      if (found === null) return (await runs.insertNew([run])).length === 1 ? run : null;
      const isDone = found.endedAt !== null && !found.isFailed;
      if (isDone || !mayBeginAgain(found)) return null;
      // Only from the state that was judged: another process that begins or ends the run in between wins.
      const { startedAt, endedAt } = found;
      return (await runs.update({ job, period, startedAt, endedAt }, { set: run })) === 1 ? run : null;
    },
    async end({ job, period, startedAt }, { at: endedAt, outcome, isFailed }) {
      await runs.update({ job, period, startedAt }, { set: { endedAt, outcome, isFailed } });
    },
    latest,
    async prune(before) {
      const removed = (await latest()).map(({ job, period }) =>
        runs.delete({ job, startedAt: { lt: before }, period: { ne: period } }),
      );
      return (await Promise.all(removed)).reduce((sum, count) => sum + count, 0);
    },
  };
}

export function createOperatorReads(open: OpenCollection): OperatorReads {
  const keys = open(KEYS);
  const usage = open(USAGE);
  return {
    async keysByTier(now) {
      const active = { revokedAt: null };
      const byTier = await keys.countBy('tier', active);
      const ended = await keys.countBy('tier', { ...active, trialEndsAt: { lte: now } });
      const counts = { free: 0, pro: 0, enterprise: 0 } satisfies Record<Tier, number>;
      for (const tier of TIERS) {
        counts[tier] += (byTier.get(tier) ?? 0) - (ended.get(tier) ?? 0);
        counts.free += ended.get(tier) ?? 0;
      }
      return counts;
    },
    callsOn: async (day) => (await usage.sum({ day }, ['calls'])).calls,
  };
}

const REQUESTS: Declaration<OperatorRequest> = {
  name: 'operator_requests',
  fields: {
    id: 'text',
    command: 'text',
    args: 'text',
    actor: 'text',
    at: 'integer',
    state: 'text',
    answer: 'text?',
  },
  key: ['id'],
  indexes: {
    operator_requests_by_state: { fields: ['state', 'at'] },
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
    waiting: ({ since, limit }) =>
      requests.find({ where: { state: 'waiting', at: { gte: since } }, sort: ['at'], limit }),
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
