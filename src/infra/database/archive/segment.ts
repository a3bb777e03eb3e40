import { crc32 } from 'node:zlib';
import type { Facet } from './alert-columns.ts';

/** What the numbers in the columns of a segment stand for. */
export interface SegmentNames {
  /** By their codes; what becomes of an alert may still change, so that results are stored apart. */
  readonly facets: readonly Omit<Facet, 'won'>[];
  /** Keys of the listings that no earlier segment names, and the number of the first of them. */
  readonly listings: readonly string[];
  readonly firstListing: number;
  /** `key` of the last alert, by which alerts of another archive are noticed. */
  readonly lastKey: string;
}

export interface Segment extends SegmentNames {
  /** The columns of its blocks. */
  readonly columns: Uint8Array<ArrayBuffer>;
}

/** The columns, then the names as JSON, then a checksum. */
export function encodeSegment({ columns, ...names }: Segment): Uint8Array {
  return withChecksum(Buffer.concat([columns, Buffer.from(JSON.stringify(names))]));
}

/** Null for what is damaged, or has not so many bytes of columns. The columns are a copy. */
export function decodeSegment(stored: Uint8Array, columnBytes: number): Segment | null {
  const bytes = checked(stored);
  if (bytes === null) return null;
  try {
    const names = JSON.parse(Buffer.from(bytes.subarray(columnBytes)).toString()) as SegmentNames;
    return { ...names, columns: new Uint8Array(bytes.subarray(0, columnBytes)) };
  } catch {
    return null;
  }
}

const CHECKSUM_BYTES = 4;

export function withChecksum(bytes: Uint8Array): Uint8Array {
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32LE(crc32(bytes));
  return Buffer.concat([bytes, checksum]);
}

/** The bytes without their checksum; null where it does not match. */
export function checked(stored: Uint8Array): Uint8Array | null {
  if (stored.length < CHECKSUM_BYTES) return null;
  const bytes = stored.subarray(0, -CHECKSUM_BYTES);
  const checksum = Buffer.from(stored.subarray(-CHECKSUM_BYTES)).readUInt32LE();
  return crc32(bytes) === checksum ? bytes : null;
}
