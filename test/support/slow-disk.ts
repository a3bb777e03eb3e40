import { DatabaseSync, StatementSync } from 'node:sqlite';

/**
 * Makes each write of an SQLite connection that is synced to the disk (`synchronous = FULL`) take longer, for the whole process.
 * Like the disk it holds the thread. Syncs of the write-ahead log's checkpoints are not made longer.
 */
export function slowDisk(syncMs: number): void {
  const connections = new WeakMap<StatementSync, DatabaseSync>();
  const synced = new WeakSet<DatabaseSync>();
  const pause = new Int32Array(new SharedArrayBuffer(4));
  const sync = (db: DatabaseSync | undefined) => {
    if (db !== undefined && synced.has(db) && !db.isTransaction) Atomics.wait(pause, 0, 0, syncMs);
  };

  const { exec, prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function slowExec(sql) {
    exec.call(this, sql);
    if (/PRAGMA synchronous = FULL/.test(sql)) synced.add(this);
    else if (/PRAGMA synchronous = /.test(sql)) synced.delete(this);
    else if (sql === 'COMMIT') sync(this);
  };
  DatabaseSync.prototype.prepare = function linked(sql, options) {
    const statement = prepare.call(this, sql, options);
    connections.set(statement, this);
    return statement;
  };
  const { run } = StatementSync.prototype;
  StatementSync.prototype.run = function slowRun(this: StatementSync, ...values: Parameters<typeof run>) {
    const result = run.apply(this, values);
    if (result.changes !== 0) sync(connections.get(this));
    return result;
  } as typeof run;
}
