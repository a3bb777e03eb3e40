import type { DatabaseSync } from 'node:sqlite';
import type { JobRun, JobRunStore } from '../../core/operations/job-run-store.ts';
import { prepareQuery, transaction } from './connection.ts';

interface Row {
  readonly job: string;
  readonly period: string;
  readonly owner: string;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly outcome: string | null;
  readonly is_failed: number;
}

const NEWEST = `SELECT period FROM job_runs AS newest WHERE newest.job = job_runs.job
  ORDER BY started_at DESC, period DESC LIMIT 1`;

export function createSqliteJobRunStore(db: DatabaseSync): JobRunStore {
  const find = prepareQuery<Row>(db, 'SELECT * FROM job_runs WHERE job = ? AND period = ?');
  const put = db.prepare('INSERT OR REPLACE INTO job_runs VALUES (?, ?, ?, ?, NULL, NULL, 0)');
  const end = db.prepare(
    `UPDATE job_runs SET ended_at = ?, outcome = ?, is_failed = ?
     WHERE job = ? AND period = ? AND owner = ? AND started_at = ?`,
  );
  const latest = prepareQuery<Row>(
    db,
    `SELECT job_runs.* FROM (SELECT DISTINCT job FROM job_runs) AS jobs JOIN job_runs USING (job)
     WHERE period = (${NEWEST}) ORDER BY job`,
  );
  const prune = db.prepare(`DELETE FROM job_runs WHERE started_at < ? AND period <> (${NEWEST})`);
  return {
    begin: async ({ job, period, owner, startedAt }, mayBeginAgain) =>
      transaction(db, () => {
        const row = find.get(job, period);
        if (row !== undefined) {
          const previous = toRun(row);
          if (isDone(previous) || !mayBeginAgain(previous)) return null;
        }
        put.run(job, period, owner, startedAt);
        return { job, period, owner, startedAt, endedAt: null, outcome: null, isFailed: false };
      }),
    end: async ({ job, period, owner, startedAt }, { at, outcome, isFailed }) => {
      end.run(at, outcome, Number(isFailed), job, period, owner, startedAt);
    },
    latest: async () => latest.all().map(toRun),
    prune: async (before) => Number(prune.run(before).changes),
  };
}

function toRun({ job, period, owner, started_at, ended_at, outcome, is_failed }: Row): JobRun {
  return {
    job,
    period,
    owner,
    startedAt: started_at,
    endedAt: ended_at,
    outcome,
    isFailed: is_failed === 1,
  };
}

function isDone({ endedAt, isFailed }: JobRun): boolean {
  return endedAt !== null && !isFailed;
}
