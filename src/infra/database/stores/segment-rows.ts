import type { Declaration } from './collection.ts';

/** The columns of consecutive alerts, for the start of a process that searches them (`archive/segments.ts`). */
export const SEGMENTS: Declaration<{ readonly number: number; readonly columns: Uint8Array }> = {
  name: 'column_segments',
  fields: { number: 'integer', columns: 'bytes' },
  key: ['number'],
};

/** What became of the alerts of a segment, up to a settlement. */
export const SEGMENT_RESULTS: Declaration<{
  readonly number: number;
  readonly seq: number;
  readonly results: Uint8Array;
}> = {
  name: 'segment_results',
  fields: { number: 'integer', seq: 'integer', results: 'bytes' },
  key: ['number'],
};
