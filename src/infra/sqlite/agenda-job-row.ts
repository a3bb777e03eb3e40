import { datefields, type JobParameters, toJobId } from 'agenda';

/** A job of Agenda: what it is found by in columns, all the rest as JSON. */
export interface AgendaJobRow {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly next_run_at: number | null;
  readonly locked_at: number | null;
  readonly priority: number;
  readonly is_disabled: number;
  readonly body: string;
}

/** A job with its id. */
export type StoredJob = JobParameters & { _id: NonNullable<JobParameters['_id']> };

export function toRow(job: StoredJob): AgendaJobRow {
  const { _id, name, type, nextRunAt, lockedAt, priority, disabled, unique, uniqueOpts, ...rest } = job;
  return {
    id: _id,
    name,
    type,
    next_run_at: msOf(nextRunAt),
    locked_at: msOf(lockedAt),
    priority,
    is_disabled: Number(disabled === true),
    body: JSON.stringify(rest),
  };
}

export function fromRow({
  id,
  body,
  next_run_at,
  locked_at,
  is_disabled,
  ...columns
}: AgendaJobRow): StoredJob {
  const rest = JSON.parse(body) as Record<string, unknown>;
  for (const field of datefields) {
    const text = rest[field];
    if (typeof text === 'string') rest[field] = new Date(text);
  }
  const job = {
    ...withoutNulls(rest),
    ...columns,
    _id: toJobId(id),
    nextRunAt: next_run_at === null ? null : new Date(next_run_at),
    ...(locked_at !== null && { lockedAt: new Date(locked_at) }),
    ...(is_disabled === 1 && { disabled: true }),
  };
  return job as unknown as StoredJob;
}

function msOf(date: Date | null | undefined): number | null {
  return date === null || date === undefined ? null : new Date(date).getTime();
}

/** `data` may be null; of the other fields null means that they are not set. */
function withoutNulls(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => name === 'data' || value !== null),
  );
}
