import type { DatabaseSync } from 'node:sqlite';
import type { Preset, PresetFilters } from '../../core/presets/preset.ts';
import type { PresetStore } from '../../core/presets/preset-store.ts';
import { prepareQuery, transaction } from './connection.ts';

const COLUMNS = 'id, key_id, name, filters, created_at';

interface Row {
  readonly id: string;
  readonly key_id: string;
  readonly name: string;
  readonly filters: string;
  readonly created_at: number;
}

export function createSqlitePresetStore(db: DatabaseSync): PresetStore {
  const insert = db.prepare(`INSERT INTO presets (${COLUMNS}) VALUES (?, ?, ?, ?, ?)`);
  const count = prepareQuery<{ held: number }>(db, 'SELECT count(*) AS held FROM presets WHERE key_id = ?');
  const list = prepareQuery<Row>(
    db,
    `SELECT ${COLUMNS} FROM presets WHERE key_id = ? ORDER BY created_at, id`,
  );
  const get = prepareQuery<Row>(db, `SELECT ${COLUMNS} FROM presets WHERE key_id = ? AND id = ?`);
  const replace = db.prepare(
    'UPDATE presets SET name = ?, filters = ?, created_at = ? WHERE key_id = ? AND id = ?',
  );
  const remove = db.prepare('DELETE FROM presets WHERE key_id = ? AND id = ?');
  return {
    insert: async ({ id, keyId, name, filters, createdAt }, cap) =>
      transaction(db, () => {
        if ((count.get(keyId)?.held ?? 0) >= cap) return false;
        insert.run(id, keyId, name, JSON.stringify(filters), createdAt);
        return true;
      }),
    listByKey: async (keyId) => list.all(keyId).map(toPreset),
    async get(keyId, id) {
      const row = get.get(keyId, id);
      return row === undefined ? null : toPreset(row);
    },
    replace: async ({ id, keyId, name, filters, createdAt }) =>
      replace.run(name, JSON.stringify(filters), createdAt, keyId, id).changes === 1,
    remove: async (keyId, id) => remove.run(keyId, id).changes === 1,
  };
}

function toPreset({ id, key_id, name, filters, created_at }: Row): Preset {
  return { id, keyId: key_id, name, filters: JSON.parse(filters) as PresetFilters, createdAt: created_at };
}
