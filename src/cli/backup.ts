import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { UserError } from '../core/base/user-error.ts';
import { writeBackup } from '../infra/database/transfer/backup-file.ts';
import { PROGRAM } from '../infra/process/program.ts';
import { runCommand } from './run-cli.ts';
import { runTransfer } from './transfer/run-transfer.ts';
import { grouped } from './transfer/transfer-display.ts';
import { DATABASE_URL } from './with-database.ts';

const HELP = `Writes everything in the database to a new SQLite file, also while the service runs.

Usage: ${PROGRAM} backup FILE [--force]

  FILE     the backup; readable by this user alone, and complete or not there
  --force  replaces FILE
  --help   this text

  The database is the one DATABASE_URL names (default sqlite:./data/tipoff.db). ${PROGRAM} restore FILE writes the
  backup into an empty database of either kind. Exit codes: 0 written, 1 fault, 2 refused, 130 interrupted.`;

await runCommand(HELP, async (args) => {
  const { values, positionals } = parseArgs({
    args,
    options: { force: { type: 'boolean' } },
    allowPositionals: true,
  });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) throw new UserError('Name one file for the backup.');
  await runTransfer({
    run: (watch, log) =>
      writeBackup({ url: DATABASE_URL, file, isForced: values.force === true, log, watch }),
    doneText: () => `${file} has ${grouped(Math.ceil(statSync(file).size / 1_000))} kB.`,
    interruptedText: 'Interrupted: nothing was kept.',
    differentText: 'The file differs from what was read: nothing was kept. Repeat the command.',
  });
});
