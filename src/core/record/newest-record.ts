import { z } from 'zod';
import type { Declaration, Documents, OpenDocuments } from '../base/documents/documents.ts';
import type { EpochMs } from '../base/time/duration.ts';
import type { RecordReport } from './record-report.ts';

/** The newest record, and when it was made. */
export interface StoredRecord {
  readonly at: EpochMs;
  readonly report: RecordReport;
}

/** The report is JSON. */
const schema = z.strictObject({ id: z.literal('record'), at: z.int(), report: z.string() });
type RecordDocument = z.infer<typeof schema>;

const RECORDS: Declaration<RecordDocument> = { kind: 'records', schema };
const ID = 'record';

/** The newest record, for other processes and for the next start: one document. */
export class NewestRecord {
  readonly #documents: Documents<RecordDocument>;

  constructor(open: OpenDocuments) {
    this.#documents = open(RECORDS, { isQuick: true });
  }

  /** Replaces the record. What was written last may be lost in a power cut. */
  async put({ at, report }: StoredRecord): Promise<void> {
    await this.#documents.put([{ id: ID, at, report: JSON.stringify(report) }]);
  }

  /** Null before the first. */
  async get(): Promise<StoredRecord | null> {
    const found = await this.#documents.get(ID);
    return found && { at: found.at, report: JSON.parse(found.report) };
  }
}
