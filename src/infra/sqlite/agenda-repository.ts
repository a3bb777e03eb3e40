import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import {
  computeJobState,
  type JobParameters,
  type JobRepository,
  type JobRepositoryOptions,
  type RemoveJobsOptions,
  toJobId,
} from 'agenda';
import { hasCriteria, inOrder, isMatch, isQueried, overviewOf } from './agenda-job-filter.ts';
import type { StoredJob } from './agenda-job-row.ts';
import { type AgendaTable, createAgendaTable } from './agenda-table.ts';
import { transaction } from './connection.ts';

/**
 * What Agenda asks of a database, answered as its MongoDB backend does; `unique` jobs alone are refused. Few jobs are
 * expected: what Agenda does not do all the time walks over all of them.
 */
export function createSqliteAgendaRepository(db: DatabaseSync): JobRepository {
  const table = createAgendaTable(db);
  return {
    connect: async () => {},
    ...reading(table),
    ...saving(db, table),
    ...locking(table),
    ...changingMany(db, table),
  };
}

function reading(table: AgendaTable) {
  return {
    async queryJobs(options = {}) {
      const { skip = 0, limit = 0 } = options;
      const now = new Date();
      const jobs = table
        .list()
        .toSorted(inOrder(options.sort))
        .map((job) => ({ ...job, state: computeJobState(job, now) }))
        .filter((job) => isQueried(job, options));
      return { jobs: jobs.slice(skip, limit > 0 ? skip + limit : undefined), total: jobs.length };
    },
    getJobsOverview: async () => overviewOf(table.list()),
    getDistinctJobNames: async () => [...new Set(table.list().map(({ name }) => name))],
    getJobById: async (id) => table.find(id) ?? null,
    async getQueueSize() {
      const now = new Date();
      return table.list().filter(({ nextRunAt }) => nextRunAt !== null && nextRunAt < now).length;
    },
  } satisfies Partial<JobRepository>;
}

function saving(db: DatabaseSync, table: AgendaTable) {
  const insert = (job: JobParameters) => table.put({ ...job, _id: toJobId(randomUUID()) });

  /** `type: single`: one of the name; a moment that is over does not replace when it runs next. */
  function saveSingle(job: JobParameters): JobParameters {
    const present = table.single(job.name);
    if (present === undefined) return insert(job);
    const isOver = job.nextRunAt !== null && job.nextRunAt <= new Date();
    return table.put({ ...job, _id: present._id, nextRunAt: isOver ? present.nextRunAt : job.nextRunAt });
  }

  function save(job: JobParameters): JobParameters {
    const { _id } = job;
    // One that was removed meanwhile is not made again.
    if (_id !== undefined) return table.find(_id)?.name === job.name ? table.put({ ...job, _id }) : job;
    if (job.unique !== undefined) throw new Error('unique jobs are not kept in SQLite');
    return job.type === 'single' ? saveSingle(job) : insert(job);
  }

  return {
    saveJob: async <Data>(job: JobParameters<Data>, options: JobRepositoryOptions | undefined) =>
      transaction(db, () => save({ ...job, ...modifiedBy(options) })) as JobParameters<Data>,
    saveJobState: async (job, options) =>
      transaction(db, () => {
        const present = job._id === undefined ? undefined : table.find(job._id);
        if (present?.name !== job.name)
          throw new Error(`job ${job._id} (${job.name}) cannot be updated: it is not there`);
        table.put({ ...present, ...stateOf(job), ...modifiedBy(options) });
      }),
  } satisfies Partial<JobRepository>;
}

function locking(table: AgendaTable) {
  const by = (options: JobRepositoryOptions | undefined) => options?.lastModifiedBy ?? null;
  return {
    async lockJob({ _id, name, nextRunAt }, options) {
      if (_id === undefined) return undefined;
      const at = nextRunAt?.getTime() ?? null;
      return table.lock({ id: _id, name, nextRunAt: at, now: Date.now(), by: by(options) });
    },
    getNextJobToRun: async (name, nextScanAt, lockDeadline, now = new Date(), options) =>
      table.lockNext({
        name,
        nextScanAt: nextScanAt.getTime(),
        lockDeadline: lockDeadline.getTime(),
        now: now.getTime(),
        by: by(options),
      }),
    // One that runs for the last time keeps its lock.
    async unlockJob({ _id }) {
      if (_id !== undefined && table.find(_id)?.nextRunAt != null) table.unlock(_id);
    },
    async unlockJobs(ids) {
      for (const id of ids) table.unlock(id);
    },
  } satisfies Partial<JobRepository>;
}

function changingMany(db: DatabaseSync, table: AgendaTable) {
  /** Counts those that the change did something to. */
  const change = (options: RemoveJobsOptions, one: (job: StoredJob) => boolean) =>
    hasCriteria(options)
      ? transaction(db, () => table.list().filter((job) => isMatch(job, options) && one(job)).length)
      : 0;
  const setDisabled = (options: RemoveJobsOptions, disabled: boolean) =>
    change(options, (job) => {
      if ((job.disabled === true) === disabled) return false;
      table.put({ ...job, disabled });
      return true;
    });
  return {
    removeJobs: async (options) => change(options, ({ _id }) => table.remove(_id)),
    disableJobs: async (options) => setDisabled(options, true),
    enableJobs: async (options) => setDisabled(options, false),
    purgeAllJobs: async () =>
      transaction(db, () => table.list().filter(({ _id }) => table.remove(_id)).length),
  } satisfies Partial<JobRepository>;
}

/** What a run changes of a job; what it does not have is taken away. */
function stateOf(job: JobParameters): Partial<JobParameters> {
  const { lockedAt, nextRunAt, lastRunAt, progress, failReason, failCount, failedAt, lastFinishedAt } = job;
  const state = { lockedAt, nextRunAt, lastRunAt, progress, failReason, failCount, failedAt, lastFinishedAt };
  return state as Partial<JobParameters>;
}

function modifiedBy(options: JobRepositoryOptions | undefined): Pick<JobParameters, 'lastModifiedBy'> {
  return { lastModifiedBy: options?.lastModifiedBy } as Pick<JobParameters, 'lastModifiedBy'>;
}
