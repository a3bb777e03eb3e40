import type { AuditEntry, AuditLog } from '../../core/operations/audit-log.ts';
import type { OpenCollection } from './collection.ts';
import type { Declaration } from './declaration.ts';

export const AUDIT: Declaration<AuditEntry> = {
  name: 'audit',
  fields: { seq: 'integer', at: 'integer', actor: 'text', command: 'text', args: 'text', outcome: 'text' },
  key: ['seq'],
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
