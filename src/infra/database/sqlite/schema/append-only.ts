/** Triggers for a table whose rows are numbered 1, 2, 3 … and never change. */
export function appendOnly(table: string, key: string): string {
  const refuse = `BEGIN SELECT RAISE(ABORT, '${table}: rows are only appended, each with the next ${key}'); END;`;
  return `CREATE TRIGGER ${table}_is_dense BEFORE INSERT ON ${table}
  WHEN NEW.${key} IS NOT (SELECT COALESCE(MAX(${key}), 0) + 1 FROM ${table}) ${refuse}
CREATE TRIGGER ${table}_is_never_changed BEFORE UPDATE ON ${table} ${refuse}
CREATE TRIGGER ${table}_is_never_shortened BEFORE DELETE ON ${table} ${refuse}`;
}
