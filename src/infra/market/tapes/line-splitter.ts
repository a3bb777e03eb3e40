import { readBytes } from './tape-file.ts';

/** One line of a byte stream, without its line end. `text` null: it was longer than a row may be. */
export interface Line {
  readonly text: string | null;
  /** Bytes of the stream up to and including this line's end. */
  readonly end: number;
}

export const MAX_LINE_BYTES = 1_048_576;
const LINE_FEED = 10;

/** Splits a byte stream into lines. Works on bytes, so that a character that spans two chunks stays whole. */
export class LineSplitter {
  readonly #maxBytes: number;
  #position: number;
  #kept: Buffer[] = [];
  #keptBytes = 0;

  /** `offset`: offset of the first chunk in the stream. */
  constructor(offset: number, maxBytes = MAX_LINE_BYTES) {
    this.#position = offset;
    this.#maxBytes = maxBytes;
  }

  /** The lines that end in this chunk; the rest is kept. The chunk's memory may be reused afterwards. */
  push(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      lines.push(this.#finish(chunk.subarray(from, at), this.#position + at + 1));
      from = at + 1;
    }
    this.#keep(chunk.subarray(from));
    this.#position += chunk.length;
    return lines;
  }

  /** The last line, without a line end; null when there is none. */
  rest(): Line | null {
    return this.#keptBytes === 0 ? null : this.#finish(Buffer.alloc(0), this.#position);
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#keptBytes += piece.length;
    if (this.#keptBytes <= this.#maxBytes) this.#kept.push(Buffer.from(piece));
    else this.#kept = [];
  }

  #finish(piece: Buffer, end: number): Line {
    const length = this.#keptBytes + piece.length;
    const bytes = this.#keptBytes === 0 ? piece : Buffer.concat([...this.#kept, piece]);
    this.#kept = [];
    this.#keptBytes = 0;
    return { text: length > this.#maxBytes ? null : textOf(bytes, end), end };
  }
}

function textOf(bytes: Buffer, end: number): string {
  const text = bytes.toString('utf8');
  const startsFile = end <= bytes.length + 1;
  return startsFile && text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/**
 * The lines of a finished `.jsonl` or `.jsonl.gz` file from an offset in its uncompressed bytes on, hundreds a batch.
 * The last line needs no line end. Throws an error with the file's name when the file cannot be read to its end.
 */
export async function* readLines(file: string, offset = 0): AsyncGenerator<readonly Line[]> {
  const splitter = new LineSplitter(offset);
  for await (const chunk of readBytes(file, offset)) {
    const lines = splitter.push(chunk);
    if (lines.length > 0) yield lines;
  }
  const last = splitter.rest();
  if (last !== null) yield [last];
}
