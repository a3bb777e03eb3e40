import { z } from 'zod';
import type { Declaration, Documents, OpenDocuments } from '../base/documents/documents.ts';

const schema = z.strictObject({
  /** 1, 2, 3 … in the order of writing. */
  id: z.int(),
  at: z.int(),
  /** For example `telegram:123`. */
  actor: z.string(),
  command: z.string(),
  /** Arguments, for example `cus_… 30`; keys are cut to their lookup part. */
  args: z.string(),
  outcome: z.string(),
});

/** An operator's action, or an attempt at one. Contains no secrets. */
export type AuditEntry = z.infer<typeof schema>;

const AUDIT: Declaration<AuditEntry> = { kind: 'audit', schema };

/** Log of operator actions. Entries are only added. */
export class AuditLog {
  readonly #entries: Documents<AuditEntry>;

  constructor(open: OpenDocuments) {
    this.#entries = open(AUDIT);
  }

  async append(entry: Omit<AuditEntry, 'id'>): Promise<void> {
    for (;;) {
      const [newest] = await this.list({ limit: 1 });
      const id = (newest?.id ?? 0) + 1;
      if ((await this.#entries.insert([{ ...entry, id }])) === null) return;
      // Another process has appended meanwhile.
    }
  }

  /** Newest first, at most `limit`; those with ids below `before` when it is given. */
  list({ limit, before }: { limit: number; before?: number }): Promise<readonly AuditEntry[]> {
    const where = { id: before === undefined ? undefined : { lt: before } };
    return this.#entries.find({ where, order: '-id', limit });
  }
}
