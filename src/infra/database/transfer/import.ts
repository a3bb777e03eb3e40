import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { z } from 'zod';
import type { Documents, Identified } from '../../../core/base/documents/documents.ts';
import { UserError } from '../../../core/base/user-error.ts';
import type { Database } from '../../../core/database.ts';
import { declaredKinds } from '../documents/declared-kinds.ts';
import { kindVersion } from '../documents/kind-version.ts';
import { SCHEMA_VERSION } from '../schema-version.ts';
import { endSchema, entrySchema, FORMAT, headerSchema } from './export.ts';

const BATCH = 500;

export type Counts = Readonly<Record<string, number>>;

/** Reads all of an export before anything is written of it. Throws a `UserError` for a damaged or foreign file, and one of another build. */
export async function checkExport(file: string): Promise<Counts> {
  const hash = createHash('sha256');
  const counts: Record<string, number> = {};
  let end: z.infer<typeof endSchema> | null = null;
  let number = 0;
  for await (const line of linesOf(file)) {
    number += 1;
    if (end !== null) throw damaged(file, `line ${number} follows its end`);
    const value = parsed(line);
    if (number === 1) checkHeader(file, value);
    const entry = entrySchema.safeParse(value).data;
    if (entry !== undefined) counts[entry.of] = (counts[entry.of] ?? 0) + 1;
    else if (number > 1) end = endSchema.safeParse(value).data ?? null;
    if (number > 1 && entry === undefined && end === null)
      throw damaged(file, `line ${number} is not a line of an export`);
    if (end === null) hash.update(`${line}\n`);
  }
  if (number === 0) throw foreign(file);
  if (end === null) throw damaged(file, 'its end is missing');
  if (end.sha256 !== hash.digest('hex')) throw damaged(file, 'its hash is another');
  return counts;
}

/** Writes a checked export into an empty database. `onEntry` hears of each document. */
export async function importFile(
  file: string,
  { documents }: Pick<Database, 'documents'>,
  onEntry: (count: number) => void,
): Promise<void> {
  const writers = new Map<string, (values: readonly never[]) => Promise<unknown>>();
  for (const declaration of declaredKinds())
    writers.set(declaration.kind, (values) => insert(documents(declaration, { isQuick: true }), values));
  let of = '';
  let batch: unknown[] = [];
  const flush = async () => {
    if (batch.length > 0) await writers.get(of)?.(batch as never[]);
    onEntry(batch.length);
    batch = [];
  };
  for await (const line of linesOf(file)) {
    const entry = entrySchema.safeParse(parsed(line)).data;
    if (entry === undefined) continue;
    if (entry.of !== of || batch.length >= BATCH) await flush();
    of = entry.of;
    batch.push(of === 'lease' ? { ...entry.value, owner: null, expiresAt: 0 } : entry.value);
  }
  await flush();
}

async function insert(documents: Documents<Identified>, values: readonly Identified[]): Promise<void> {
  const taken = await documents.insert(values);
  if (taken !== null) throw new Error(`the document ${taken} is there already`);
}

function checkHeader(file: string, value: unknown): void {
  const header = headerSchema.safeParse(value).data;
  if (header?.format !== FORMAT) throw foreign(file);
  const own = new Map(declaredKinds().map((declaration) => [declaration.kind, kindVersion(declaration)]));
  const others = Object.keys(header.kinds).filter((kind) => own.get(kind) !== header.kinds[kind]);
  if (header.schema !== SCHEMA_VERSION) others.push('schema');
  if (others.length > 0)
    throw new UserError(
      `${file} was written by another build (${others.join(', ')}). Import it with that build.`,
    );
}

/** By line feeds alone: `readline` ends a line at U+2028 as well, which JSON has in its strings. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const text of createReadStream(file, 'utf8')) {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    if (rest !== '') yield rest;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new UserError(
      `${file} cannot be read (${code}). Name a file that ${FORMAT.split(' ')[0]} export wrote.`,
    );
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function foreign(file: string): UserError {
  return new UserError(`${file} is not an export of this program.`);
}

function damaged(file: string, reason: string): UserError {
  return new UserError(`${file} is damaged: ${reason}. Export again, or use another file.`);
}
