/** One line of a byte stream, without its line end. `text` null: it was longer than a row may be. */
export interface Line {
  readonly text: string | null;
  /** Bytes of the stream up to and including this line's end. */
  readonly end: number;
}

/** Cuts a byte stream into lines. On bytes, so that a character across two chunks stays whole. */
export interface LineSplitter {
  /** The lines that end in this chunk; its rest is kept. The chunk may be used again afterwards. */
  push(chunk: Buffer): Line[];
  /** The line without an end that is left, if any. */
  rest(): Line | null;
}

export const MAX_LINE_BYTES = 1_048_576;
const LINE_FEED = 10;

/** `offset`: where in the stream the first chunk begins. */
export function createLineSplitter(offset: number, maxBytes = MAX_LINE_BYTES): LineSplitter {
  let position = offset;
  let kept: Buffer[] = [];
  let keptBytes = 0;

  function keep(piece: Buffer): void {
    if (piece.length === 0) return;
    keptBytes += piece.length;
    if (keptBytes <= maxBytes) kept.push(Buffer.from(piece));
    else kept = [];
  }

  function finish(piece: Buffer, end: number): Line {
    const length = keptBytes + piece.length;
    const bytes = keptBytes === 0 ? piece : Buffer.concat([...kept, piece]);
    kept = [];
    keptBytes = 0;
    return { text: length > maxBytes ? null : textOf(bytes, end), end };
  }

  return {
    push(chunk) {
      const lines: Line[] = [];
      let from = 0;
      for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
        lines.push(finish(chunk.subarray(from, at), position + at + 1));
        from = at + 1;
      }
      keep(chunk.subarray(from));
      position += chunk.length;
      return lines;
    },
    rest() {
      return keptBytes === 0 ? null : finish(Buffer.alloc(0), position);
    },
  };
}

function textOf(bytes: Buffer, end: number): string {
  const text = bytes.toString('utf8');
  const startsFile = end <= bytes.length + 1;
  return startsFile && text.startsWith('\uFEFF') ? text.slice(1) : text;
}
