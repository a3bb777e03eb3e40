import type { LogHead } from '../../../core/alerts/log/log-entry.ts';
import type { Snapshot } from '../../../core/ingest/ingest-stores.ts';
import type { TableRow, TransferTable } from './transfer-table.ts';

/** Which rows of a changing database belong to a backup, and which groups are read again (docs/adr/0027). */
export class WholeState {
  /** Chunks that the snapshots name and that were not read, by set. */
  #missing = new Map<string, number>();
  /** The customer of each key and follower. */
  #owned = new Map<string, string>();
  #customers = new Set<string>();
  #danglingBefore: string | null = null;
  readonly #keys = new Set<string>();
  #logEnd = 0;
  #later = 0;

  begin(): void {
    this.#missing = new Map();
    this.#owned = new Map();
    this.#customers = new Set();
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
        return this.#refer(name, row);
      case 'customers':
        this.#customers.add(String(row['id']));
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
    if (has(group, 'customers')) return this.#areOwned();
    return this.#later === 0;
  }

  #refer(table: string, row: TableRow): true {
    const customer = row['customerId'];
    if (typeof customer === 'string') this.#owned.set(`${table} ${JSON.stringify(row)}`, customer);
    return true;
  }

  /** False for a row that was written with an entry after those that were read. */
  #isInLog(row: TableRow): boolean {
    const entry = row['log'] as LogHead | undefined;
    return entry === undefined || entry.sequence <= this.#logEnd;
  }

  /** Whether every key and follower has its customer; what misses one in two reads is so. */
  #areOwned(): boolean {
    const dangling = [...this.#owned].filter(([, customer]) => !this.#customers.has(customer));
    const found = dangling.map(([row]) => row).join('\n');
    const isKnown = found === '' || found === this.#danglingBefore;
    this.#danglingBefore = found;
    return isKnown;
  }
}

function has(group: readonly TransferTable[], table: string): boolean {
  return group.some(({ name }) => name === table);
}
