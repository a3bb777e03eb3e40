import type { DatabaseSync } from 'node:sqlite';
import type { Declaration, Identified, OpenDocuments } from '../../../core/base/documents/documents.ts';
import type { CallGuard } from '../sqlite/call-guard.ts';
import { prepareQuery, transaction } from '../sqlite/connection.ts';
import { kindVersion, requireKind } from './kind-version.ts';
import { creationOf, SqliteDocuments } from './sqlite-documents.ts';

export const KINDS_TABLE = 'document_kinds';
const CREATE_KINDS = `CREATE TABLE IF NOT EXISTS ${KINDS_TABLE} (kind TEXT PRIMARY KEY NOT NULL, version INTEGER NOT NULL) STRICT`;

interface SqliteConnections {
  readonly db: DatabaseSync;
  /** Its writes do not wait for the disk. */
  readonly quick: DatabaseSync;
  readonly guard: CallGuard;
}

/** A kind's table is made when it is opened first. Opening throws `SchemaMismatch` for documents of another build. */
export function openSqliteDocuments({ db, quick, guard }: SqliteConnections): OpenDocuments {
  const opened = new Set<string>();
  return (declaration, { isQuick = false } = {}) => {
    if (!opened.has(declaration.kind)) createKind(db, declaration);
    opened.add(declaration.kind);
    return guard.store(new SqliteDocuments(isQuick ? quick : db, declaration));
  };
}

function createKind<T extends Identified>(db: DatabaseSync, declaration: Declaration<T>): void {
  db.exec(CREATE_KINDS);
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
