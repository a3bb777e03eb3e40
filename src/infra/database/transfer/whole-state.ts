import type { LogHead } from '../../../core/alerts/log/log-entry.ts';
import type { Snapshot } from '../../../core/ingest/ingest-stores.ts';
import type { TableRow, TransferTable } from './transfer-table.ts';

/** Which rows of a changing database belong to a backup, and which groups are read again (docs/adr/0027). */
export class WholeState {
  /** Chunks that the snapshots name and that were not read, by set. */
  #missing = new Map<string, number>();
  readonly #keys = new Set<string>();
  #logEnd = 0;
  #later = 0;

  begin(): void {
    this.#missing = new Map();
    this.#later = 0;
  }

  take({ name }: TransferTable, row: TableRow): boolean {
    switch (name) {
      case 'lease':
        for (const { sets } of Object.values((row['snapshots'] ?? {}) as Readonly<Record<string, Snapshot>>))
          for (const { id, count } of sets ?? []) this.#missing.set(id, count);
        return true;
      case 'snapshot_chunks': {
        const set = String(row['setId']);
        const missing = this.#missing.get(set);
        if (missing !== undefined) this.#missing.set(set, missing - 1);
        return missing !== undefined;
      }
      case 'api_keys':
        this.#keys.add(String(row['id']));
        return true;
      case 'key_requests':
      case 'webhooks':
        return this.#keys.has(String(row['keyId']));
      case 'log':
        this.#logEnd = Number(row['sequence']);
        return true;
      case 'alerts':
      case 'exits':
        return this.#isInLog(row);
      case 'settlements':
        if (!this.#isInLog(row)) this.#later += 1;
        return this.#isInLog(row);
      default:
        return true;
    }
  }

  /** Whether what was read of a group is a state that a crash could leave; otherwise it must be read again. */
  isWhole(group: readonly TransferTable[]): boolean {
    if (has(group, 'lease')) return [...this.#missing.values()].every((count) => count <= 0);
    return this.#later === 0;
  }

  /** False for a row that was written with an entry after those that were read. */
  #isInLog(row: TableRow): boolean {
    const entry = row['log'] as LogHead | undefined;
    return entry === undefined || entry.sequence <= this.#logEnd;
  }
}

function has(group: readonly TransferTable[], table: string): boolean {
  return group.some(({ name }) => name === table);
}
