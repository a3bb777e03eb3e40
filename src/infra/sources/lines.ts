import { type Line, LineSplitter } from './line-splitter.ts';
import { readBytes } from './tape-file.ts';

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
