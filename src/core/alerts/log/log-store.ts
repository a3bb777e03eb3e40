import { z } from 'zod';
import type { Declaration, Documents, OpenDocuments, Query } from '../../base/documents/documents.ts';
import { canonicalJson } from '../../base/text/canonical-json.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import { LOG_KINDS, type LogEntry, type LogKind } from './log-entry.ts';

const documentSchema = z.strictObject({
  /** The sequence number. */
  id: z.int(),
  epoch: z.int(),
  kind: z.enum(LOG_KINDS),
  at: z.int(),
  key: z.string(),
  previous: z.string(),
  hash: z.string(),
  /** Canonical JSON, as it was hashed: a database may write a number in another way. */
  body: z.string(),
});

type StoredEntry = Readonly<z.infer<typeof documentSchema>>;

const LOG: Declaration<StoredEntry> = {
  kind: 'events',
  schema: documentSchema,
  indexes: {
    events_by_time: { fields: ['at'] },
    events_by_key: { fields: ['key'], isUnique: true },
    events_by_kind: { fields: ['kind'] },
  },
};

/** The log: appended by the holder of the ingest lease, read by every process. Entries are never changed or removed. */
export class LogStore {
  readonly #entries: Documents<StoredEntry>;

  constructor(open: OpenDocuments) {
    this.#entries = open(LOG);
  }

  /**
   * Writes entries with consecutive sequence numbers durably, in order. `taken`: another entry has one of the numbers or keys. Then, and
   * after a failure, the first of them may be written.
   */
  async append(entries: readonly LogEntry[]): Promise<'appended' | 'taken'> {
    const documents = entries.map(({ seq, body, ...entry }) => ({
      id: seq,
      ...entry,
      body: canonicalJson(body),
    }));
    return (await this.#entries.insert(documents)) === null ? 'appended' : 'taken';
  }

  async last(): Promise<LogEntry | null> {
    return this.#first({ order: '-id' });
  }

  /** The newest entry with `at` at or before the moment. */
  async headAt(until: EpochMs): Promise<LogEntry | null> {
    return this.#first({ where: { at: { lte: until } }, order: '-at' });
  }

  /** Entries with a larger sequence number, of some kinds or all, ascending, at most `limit`. */
  async after(
    seq: number,
    limit: number,
    kinds: readonly LogKind[] | null = null,
  ): Promise<readonly LogEntry[]> {
    const page = { order: 'id', after: { id: seq }, limit } as const;
    if (kinds === null) return (await this.#entries.find(page)).map(toEntry);
    // Each kind by its index: rare ones are not looked for among all.
    const found = await Promise.all(kinds.map((kind) => this.#entries.find({ ...page, where: { kind } })));
    const first = found.flat().toSorted((one, other) => one.id - other.id);
    return first.slice(0, limit).map(toEntry);
  }

  /** Ascending. */
  async some(sequences: readonly number[]): Promise<readonly LogEntry[]> {
    return (await this.#entries.find({ where: { id: { in: sequences } }, order: 'id' })).map(toEntry);
  }

  async lastOf(kind: LogKind): Promise<LogEntry | null> {
    return this.#first({ where: { kind }, order: '-id' });
  }

  /** Those of these keys that have an entry. */
  async known(keys: readonly string[]): Promise<readonly string[]> {
    const found = await this.#entries.find({ where: { key: { in: keys } } });
    return found.map(({ key }) => key);
  }

  async #first(query: Query<StoredEntry>): Promise<LogEntry | null> {
    const [found] = await this.#entries.find({ ...query, limit: 1 });
    return found === undefined ? null : toEntry(found);
  }
}

function toEntry({ id: seq, body, ...entry }: StoredEntry): LogEntry {
  return { ...entry, seq, body: JSON.parse(body) };
}
