import { readFile, stat } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { z } from 'zod';
import type { Json, JsonObject, LogHead } from '../../core/alerts/log/log-entry.ts';
import type { Evidence } from '../../core/alerts/verification/chain-check.ts';
import type { LogMismatch } from '../../core/alerts/verification/log-contents.ts';
import { canonicalJson } from '../../core/base/text/canonical-json.ts';
import type { EpochMs } from '../../core/base/time/duration.ts';
import { UserError } from '../../core/base/user-error.ts';
import { LONGEST_DELAY_MS } from '../../infra/log-service/compare-alerts.ts';
import type { VerifiedLog } from '../../infra/log-service/verify-state.ts';

export function savedEvidence(saved: VerifiedLog | null): readonly Evidence[] {
  if (saved === null) return [];
  const { sequence, hash, verified_at, is_delayed: isDelayed } = saved;
  const name = `the head that this machine saved on ${verified_at.slice(0, 10)}`;
  const at = Date.parse(verified_at);
  return [{ kind: 'saved', sequence, hash, name, at, receivedBefore: at, alert: null, isDelayed }];
}

/** Evidence beyond the end: `notYet` may be held back by the free delay, `finding` is lost. */
export function judgeBeyondEnd(
  beyond: readonly Evidence[],
  { isDelayed, now, end }: { isDelayed: boolean; now: EpochMs; end: LogHead },
): { readonly notYet: readonly Evidence[]; readonly finding: LogMismatch | null } {
  const notYet = beyond.filter((evidence) => isDelayed && mayBeTooNew(evidence, now));
  const [gone] = beyond
    .filter((evidence) => !notYet.includes(evidence))
    .toSorted((a, b) => a.sequence - b.sequence);
  if (gone === undefined) return { notYet, finding: null };
  const { sequence, hash, name, kind } = gone;
  const isTooNew = isDelayed && kind === 'head';
  const hint = isTooNew ? '; without a real-time key, entries appear later, so run it again later' : '';
  const what = `the log ends before ${name}: entries were removed`;
  const found = `the log ends with entry ${end.sequence}${hint}`;
  return { notYet, finding: { sequence, what, expected: `an entry with hash ${hash}`, found } };
}

function mayBeTooNew({ isDelayed, at, receivedBefore }: Evidence, now: EpochMs): boolean {
  const latest = Math.min(at ?? now, receivedBefore ?? now);
  return !isDelayed && now - latest < LONGEST_DELAY_MS;
}

const headSchema = z.object({
  sequence: z.number().int().min(0),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});
const markedSchema = z.looseObject({ log: headSchema });
const frameSchema = z.looseObject({ type: z.literal('alert'), data: z.unknown() });
const momentSchema = z.looseObject({ details: z.looseObject({ published_at: z.iso.datetime() }) });

/** What a file of received alerts saw of the log. Throws a `UserError` where nothing carries a mark. */
export async function receivedAlerts(
  file: string,
  input: NodeJS.ReadableStream,
): Promise<readonly Evidence[]> {
  const name = file === '-' ? 'standard input' : file;
  const { text, receivedBefore } = await contentOf(file, input);
  const evidence = jsonValues(text, `--alert ${name}`).flatMap((value) =>
    evidenceIn(value, name, receivedBefore),
  );
  if (evidence.length > 0) return evidence;
  throw new UserError(`--alert ${name}: no alert or frame with "log": {"sequence": …, "hash": …}`);
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

async function contentOf(file: string, input: NodeJS.ReadableStream) {
  try {
    if (file === '-') return { text: await textOf(input), receivedBefore: null };
    const [text, { mtimeMs }] = await Promise.all([readFile(file, 'utf8'), stat(file)]);
    return { text, receivedBefore: mtimeMs };
  } catch (error) {
    throw new UserError(`--alert ${file} cannot be read: ${(error as Error).message}`);
  }
}

function evidenceIn(value: unknown, file: string, receivedBefore: EpochMs | null): readonly Evidence[] {
  if (Array.isArray(value)) return value.flatMap((item) => evidenceIn(item, file, receivedBefore));
  const frame = frameSchema.safeParse(value).data;
  if (frame !== undefined) return evidenceIn(frame.data, file, receivedBefore);
  const marked = markedSchema.safeParse(value).data;
  if (marked === undefined || marked.log.sequence === 0) return [];
  const { id, log } = marked;
  const base = { ...log, receivedBefore, isDelayed: false };
  if (typeof id !== 'number') {
    const name = `the head ${log.sequence} in ${file}`;
    return [{ ...base, kind: 'head', name, at: null, alert: null }];
  }
  const publishedAt = momentSchema.safeParse(value).data?.details.published_at;
  const at = publishedAt === undefined ? null : Date.parse(publishedAt);
  const name = `the received alert ${id} in ${file}`;
  return [{ ...base, kind: 'alert', name, at, alert: fieldsOf(marked, name) }];
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
