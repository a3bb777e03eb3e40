import { statSync } from 'node:fs';
import { grouped } from '../core/base/text/formats.ts';
import { writeBackup } from '../infra/database/transfer/backup-file.ts';
import { PROGRAM } from '../infra/process/program.ts';
import { commandOf, DATABASE_URL } from './command.ts';
import { runTransfer } from './run-transfer.ts';

export const backupCommand = commandOf({
  about: 'Writes everything in the database to a new SQLite file, even while the service runs.',
  usage: 'backup FILE [--force]',
  operand: {
    name: 'FILE',
    noun: 'file for the backup',
    help: 'the backup; readable only by this user; it appears when it is complete',
  },
  options: { force: { type: 'boolean', help: 'replaces FILE' } },
  notes: `The database is the one DATABASE_URL names (default sqlite:./data/tipoff.db). ${PROGRAM} restore FILE writes the
backup into an empty database of either kind. Exit codes: 0 written, 1 fault, 2 refused, 130 interrupted.`,
  run: ({ force = false }, file) =>
    runTransfer({
      run: (watch, log) => writeBackup({ url: DATABASE_URL, file, isForced: force, log, watch }),
      doneText: () => `${file} has ${grouped(Math.ceil(statSync(file).size / 1_000))} kB.`,
      interruptedText: 'Interrupted: nothing was kept.',
      differentText: 'The file differs from what was read: nothing was kept. Repeat the command.',
    }),
});
