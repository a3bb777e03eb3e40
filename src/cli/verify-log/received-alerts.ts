import { readFile, stat } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { z } from 'zod';
import type { Json, JsonObject } from '../../core/alerts/log/log-entry.ts';
import type { Evidence } from '../../core/alerts/verification/evidence.ts';
import { canonicalJson } from '../../core/base/text/canonical-json.ts';
import type { EpochMs } from '../../core/base/time/duration.ts';
import { UserError } from '../../core/base/user-error.ts';

const headSchema = z.object({
  sequence: z.number().int().min(0),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});
const markedSchema = z.looseObject({ log: headSchema });
const frameSchema = z.looseObject({ type: z.literal('alert'), data: z.unknown() });
const momentSchema = z.looseObject({ details: z.looseObject({ published_at: z.iso.datetime() }) });

/**
 * What a file of received alerts (webhook bodies, stream frames, answers of the API; JSON or JSON lines) saw of the log. What
 * carries no mark of the log is left out. Throws a `UserError` where the file cannot be read, or nothing in it carries one.
 */
export async function receivedAlerts(
  file: string,
  input: NodeJS.ReadableStream,
): Promise<readonly Evidence[]> {
  const name = file === '-' ? 'standard input' : file;
  const { text, receivedBefore } = await contentOf(file, input);
  const evidence = jsonValues(text, `--alert ${name}`).flatMap((value) =>
    evidenceIn(value, { file: name, receivedBefore }),
  );
  if (evidence.length > 0) return evidence;
  throw new UserError(
    `--alert ${name}: no alert or frame with "log": {"sequence": …, "hash": …}; alerts published before the log began have none`,
  );
}

/** The JSON values of a text: one, or one a line. `name` is that of the file in a message. */
export function jsonValues(text: string, name: string): readonly unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return text.split('\n').flatMap((line, index) => {
      if (line.trim() === '') return [];
      try {
        return [JSON.parse(line) as unknown];
      } catch {
        throw new UserError(`${name}: line ${index + 1} is not JSON`);
      }
    });
  }
}

interface Origin {
  readonly file: string;
  /** When the file was written last; null for a stream. */
  readonly receivedBefore: EpochMs | null;
}

async function contentOf(file: string, input: NodeJS.ReadableStream) {
  try {
    if (file === '-') return { text: await textOf(input), receivedBefore: null };
    const [text, { mtimeMs }] = await Promise.all([readFile(file, 'utf8'), stat(file)]);
    return { text, receivedBefore: mtimeMs };
  } catch (error) {
    throw new UserError(`--alert ${file} cannot be read: ${(error as Error).message}`);
  }
}

function evidenceIn(value: unknown, origin: Origin): readonly Evidence[] {
  if (Array.isArray(value)) return value.flatMap((item) => evidenceIn(item, origin));
  const frame = frameSchema.safeParse(value).data;
  if (frame !== undefined) return evidenceIn(frame.data, origin);
  const marked = markedSchema.safeParse(value).data;
  if (marked === undefined || marked.log.sequence === 0) return [];
  const { sequence, hash } = marked.log;
  const { id } = marked;
  const { file, receivedBefore } = origin;
  const base = { sequence, hash, receivedBefore, isDelayed: false };
  if (typeof id !== 'number') {
    const name = `the head ${sequence} in ${file}`;
    return [{ ...base, kind: 'head', name, at: null, alert: null }];
  }
  const at = momentSchema.safeParse(value).data?.details.published_at;
  const name = `the received alert ${id} in ${file}`;
  return [
    {
      ...base,
      kind: 'alert',
      name,
      at: at === undefined ? null : Date.parse(at),
      alert: fieldsOf(marked, name),
    },
  ];
}

/** Without the mark, and what an outcome changes. */
function fieldsOf(marked: z.infer<typeof markedSchema>, name: string): JsonObject {
  const { log, ...fields } = marked;
  try {
    canonicalJson(fields as Json);
    return fields as JsonObject;
  } catch {
    throw new UserError(`--alert: ${name} contains text that is not valid Unicode`);
  }
}
