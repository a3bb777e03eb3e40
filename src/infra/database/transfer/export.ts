import { createHash } from 'node:crypto';
import { z } from 'zod';
import { SCHEMA_VERSION } from '../schema-version.ts';
import type { ExportSource } from './export-source.ts';

export const FORMAT = 'tipoff export 1';

/** The first line of an export. */
export const headerSchema = z.object({
  format: z.string(),
  at: z.string(),
  schema: z.int(),
  /** Versions of the kinds of documents, by kind. */
  kinds: z.record(z.string(), z.int()),
});

/** A document. */
export const entrySchema = z.object({ of: z.string(), value: z.record(z.string(), z.unknown()) });

/** The last line: how much there is of each, and the SHA-256 of all lines before. */
export const endSchema = z.object({ counts: z.record(z.string(), z.int()), sha256: z.string() });

/** The lines of an export, each with its end. `onEntry` hears of each document. */
export async function* exportLines(
  source: ExportSource,
  at: Date,
  onEntry: (of: string) => void,
): AsyncGenerator<string> {
  const hash = createHash('sha256');
  const counts: Record<string, number> = {};
  const line = (value: object) => {
    const text = `${JSON.stringify(value)}\n`;
    hash.update(text);
    return text;
  };
  const { kinds } = source;
  yield line({ format: FORMAT, at: at.toISOString(), schema: SCHEMA_VERSION, kinds });
  for (const of of Object.keys(kinds)) {
    counts[of] = 0;
    for await (const value of source.documents(of)) {
      counts[of] += 1;
      onEntry(of);
      yield line({ of, value });
    }
  }
  yield `${JSON.stringify({ counts, sha256: hash.digest('hex') })}\n`;
}
