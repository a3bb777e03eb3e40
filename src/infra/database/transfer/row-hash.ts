import { sha256 } from '../../secrets/sha256.ts';
import type { Row } from './transfer-table.ts';

const MODULUS = 1n << 256n;
const DIGITS = 64;

/** What is in a table: the number of its rows, and a hash of 64 hexadecimal digits that does not depend on their order. */
export interface Contents {
  readonly rows: number;
  readonly hash: string;
}

/** Sums up the SHA-256 of rows. Equal rows have equal hashes, whichever database they were read from. */
export class RowHash {
  #rows = 0;
  #sum = 0n;

  add(row: Row): void {
    this.#rows += 1;
    this.#sum = (this.#sum + BigInt(`0x${sha256(JSON.stringify(row, comparable))}`)) % MODULUS;
  }

  get contents(): Contents {
    return { rows: this.#rows, hash: this.#sum.toString(16).padStart(DIGITS, '0') };
  }
}

/** Members in one order, bytes as text, and text as both databases store it: half of a surrogate pair is replaced. */
function comparable(_: string, value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutBytes(member)]));
}

function withoutBytes(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}
