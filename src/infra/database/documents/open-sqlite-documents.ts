import type { DatabaseSync } from 'node:sqlite';
import { withTimeout } from '../../../core/base/async/with-timeout.ts';
import { DATABASE_TIMEOUT_MS } from '../../../core/base/database-errors.ts';
import type {
  CallOptions,
  Declaration,
  Identified,
  OpenDocuments,
} from '../../../core/base/documents/documents.ts';
import type { Clock } from '../../../core/base/time/clock.ts';
import { withEachMethod } from '../each-method.ts';
import type { CallGuard } from '../sqlite/call-guard.ts';
import { prepareQuery, transaction } from '../sqlite/connection.ts';
import { KINDS_TABLE } from '../sqlite/schema.ts';
import { timeLimit } from '../time-limit.ts';
import { kindVersion, requireKind } from './kind-version.ts';
import { creationOf, SqliteDocuments } from './sqlite-documents.ts';

interface SqliteConnections {
  readonly db: DatabaseSync;
  /** Its writes do not wait for the disk. */
  readonly quick: DatabaseSync;
  readonly guard: CallGuard;
  readonly clock: Pick<Clock, 'sleep'>;
}

/** A kind's table is made when it is opened first. Opening throws `SchemaMismatch` for documents of another build. */
export function openSqliteDocuments({ db, quick, guard, clock }: SqliteConnections): OpenDocuments {
  const opened = new Set<string>();
  return (declaration, { isQuick = false } = {}) => {
    if (!opened.has(declaration.kind)) createKind(db, declaration);
    opened.add(declaration.kind);
    const documents = new SqliteDocuments(isQuick ? quick : db, declaration);
    return withEachMethod(documents, (name, method) => {
      const call = guard.call(method);
      return (...args) => {
        const limit = timeLimit(`${declaration.kind}.${name}`, timeoutOf(args), clock);
        return withTimeout(limit, call(...args));
      };
    });
  };
}

/** The options of a call are its last argument. */
function timeoutOf(args: readonly unknown[]): number {
  const { timeoutMs = DATABASE_TIMEOUT_MS } = (args.at(-1) ?? {}) as CallOptions;
  return timeoutMs;
}

function createKind<T extends Identified>(db: DatabaseSync, declaration: Declaration<T>): void {
  const select = `SELECT version FROM ${KINDS_TABLE} WHERE kind = ?`;
  const known = prepareQuery<{ readonly version: number }>(db, select).get(declaration.kind);
  if (known !== undefined) {
    requireKind(declaration, known.version);
    return;
  }
  transaction(db, () => {
    db.exec(creationOf(declaration));
    const insert = `INSERT OR IGNORE INTO ${KINDS_TABLE} (kind, version) VALUES (?, ?)`;
    db.prepare(insert).run(declaration.kind, kindVersion(declaration));
  });
}
