import { UserError } from '../../../core/base/user-error.ts';
import { LineSplitter } from './line-splitter.ts';
import { createRowParser, parseHeader } from './row-schema.ts';

const parse = createRowParser(() => 'other');

/**
 * Throws a `UserError` if none of the first lines of a file is a row of a tape, valid or not, or its header. An empty file is
 * accepted, as is one whose first line is longer than what is known of it. `head`: its first bytes.
 */
export function assertTape(name: string, head: Buffer): void {
  const lines = new LineSplitter(0).push(head).flatMap(({ text }) => text?.trim() || []);
  if (lines.length === 0 || lines.some(isOfTape)) return;
  throw new UserError(
    `${name}: that is no tape: none of its first lines is a row; expected a .jsonl or .jsonl.gz file ` +
      'with one JSON object per line (docs/tapes.md)',
  );
}

function isOfTape(line: string): boolean {
  if (parseHeader(line) !== null) return true;
  const row = parse(line, 0);
  return row.kind !== 'bad' || (row.reason !== 'not_json' && row.reason !== 'unknown_kind');
}
