import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { UserError } from '../core/base/user-error.ts';
import { databaseFailure } from '../infra/database/database.ts';
import { exportLines } from '../infra/database/transfer/export.ts';
import { openExportSource } from '../infra/database/transfer/export-source.ts';
import { PROGRAM } from '../infra/process/program.ts';
import { commandOf, DATABASE_URL, interruptible } from './command.ts';
import { EntryProgress } from './entry-progress.ts';

const STDOUT = '-';
const PRIVATE_FILE = 0o600;

export const exportCommand = commandOf({
  about:
    'Writes everything in the database as lines of JSON, as it is at one moment, even while the service runs.',
  usage: 'export FILE|- [--force]',
  operand: {
    name: 'FILE',
    noun: 'file for the export, or - for the output',
    help: 'the export; readable only by this user; it appears when it is complete',
  },
  options: { force: { type: 'boolean', help: 'replaces FILE' } },
  notes: `The database is the one DATABASE_URL names (default sqlite:./data/tipoff.db). ${PROGRAM} import FILE writes the
export into an empty database of either kind. The file holds chat ids, and what signs webhooks if SECRET_KEY is not
set: keep it as the database. Exit codes: 0 written, 1 fault, 2 refused, 130 interrupted.`,
  run: ({ force = false }, file) => interruptible((signal) => writeExport(file, force, signal)),
});

async function writeExport(file: string, isForced: boolean, signal: AbortSignal): Promise<void> {
  if (file !== STDOUT && existsSync(file) && !isForced)
    throw new UserError(`${file} exists. Name another file, or use --force to replace it.`);
  using progress = new EntryProgress();
  const source = await openExportSource(DATABASE_URL).catch((error: unknown) => {
    throw databaseFailure(error, DATABASE_URL);
  });
  const lines = Readable.from(exportLines(source, new Date(), () => progress.add(1)));
  const partial = `${file}.partial`;
  const target = file === STDOUT ? 'the output' : file;
  try {
    if (file === STDOUT) await pipeline(lines, process.stdout, { signal, end: false });
    else await pipeline(lines, createWriteStream(partial, { mode: PRIVATE_FILE, flush: true }), { signal });
    if (file !== STDOUT) renameSync(partial, file);
    progress.done(`Exported ${progress.documents} to ${target}.`);
  } catch (error) {
    if (!signal.aborted) throw failureOf(error, target);
    progress.interrupted('Interrupted: nothing was kept.');
  } finally {
    rmSync(partial, { force: true });
    await source.close();
  }
}

/** Only a call of the system, which writes, has its name in the error. */
function failureOf(error: unknown, target: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return databaseFailure(error, DATABASE_URL);
  return new UserError(`${target} cannot be written (${code}). Name another file.`);
}
