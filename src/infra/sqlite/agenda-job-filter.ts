import { isDeepStrictEqual } from 'node:util';
import {
  computeJobState,
  type JobsOverview,
  type JobsQueryOptions,
  type JobsSort,
  type JobWithState,
  type RemoveJobsOptions,
  type SortDirection,
} from 'agenda';
import type { StoredJob } from './agenda-job-row.ts';

const NONE = { running: 0, scheduled: 0, queued: 0, completed: 0, failed: 0, repeating: 0, paused: 0 };

/** What jobs are asked for by, as Agenda means it: empty lists and texts do not restrict. */
export function isMatch(
  job: StoredJob,
  { id, ids = [], name, names = [], notNames = [], data }: RemoveJobsOptions,
): boolean {
  if (id !== undefined ? job._id !== id : ids.length > 0 && !ids.includes(job._id)) return false;
  return isNameMatch(job.name, { name, names, notNames }) && (data === undefined || holds(job.data, data));
}

/** False when the options name nothing, so that nothing is removed by them. */
export function hasCriteria({ id, ids, name, names, notNames, data }: RemoveJobsOptions): boolean {
  const lists = [ids, names, notNames].some((list) => list !== undefined && list.length > 0);
  return Boolean(id) || Boolean(name) || lists || data !== undefined;
}

export function isQueried(job: JobWithState, query: JobsQueryOptions): boolean {
  const { search, state, includeDisabled = true, id, ids, name, names, data } = query;
  if (!includeDisabled && job.disabled === true) return false;
  if (state === 'paused' ? job.disabled !== true : state !== undefined && job.state !== state) return false;
  if (search !== undefined && !job.name.toLowerCase().includes(search.toLowerCase())) return false;
  // A text that is looked for takes the place of names.
  const byName = search ? {} : { ...(name && { name }), ...(names && { names }) };
  return isMatch(job, { ...byName, ...(id && { id }), ...(ids && { ids }), data });
}

/** Orders by the fields in the order they are given; jobs without the field come first in ascending order. */
export function inOrder(sort: JobsSort | undefined): (a: StoredJob, b: StoredJob) => number {
  const given = Object.entries(sort ?? {}) as [keyof JobsSort, SortDirection][];
  const fields: typeof given =
    given.length > 0
      ? given
      : [
          ['nextRunAt', 'desc'],
          ['lastRunAt', 'desc'],
        ];
  return (a, b) => {
    for (const [field, direction] of fields) {
      const [x, y] = [rankOf(a[field]), rankOf(b[field])];
      if (x !== y) return (x < y ? -1 : 1) * (direction === 'asc' ? 1 : -1);
    }
    return 0;
  };
}

function rankOf(value: unknown): number | string {
  if (value === undefined || value === null) return Number.NEGATIVE_INFINITY;
  if (value instanceof Date) return value.getTime();
  return typeof value === 'number' ? value : JSON.stringify(value);
}

function isNameMatch(
  own: string,
  { name, names, notNames }: { name: string | undefined; names: string[]; notNames: string[] },
): boolean {
  if (name) return own === name;
  if (names.length > 0) return names.includes(own);
  return !notNames.includes(own);
}

/** Whether each field that is asked for is there; what is no plain object has to be equal. */
function holds(data: unknown, asked: unknown): boolean {
  if (!isPlain(asked)) return isDeepStrictEqual(data, asked);
  return isPlain(data) && Object.entries(asked).every(([field, value]) => holds(data[field], value));
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** How many jobs of each name are in each state. */
export function overviewOf(jobs: readonly StoredJob[]): JobsOverview[] {
  const now = new Date();
  const overviews = new Map<string, JobsOverview>();
  for (const job of jobs) {
    const { name } = job;
    const overview = overviews.get(name) ?? { name, total: 0, ...NONE };
    overview.total += 1;
    overview[computeJobState(job, now)] += 1;
    if (job.disabled === true) overview.paused += 1;
    overviews.set(name, overview);
  }
  return [...overviews.values()];
}
