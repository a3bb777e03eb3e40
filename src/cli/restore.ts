import { resolve } from 'node:path';
import { moveDatabase } from '../infra/database/transfer/move-database.ts';
import { PROGRAM } from '../infra/process/program.ts';
import { commandOf, DATABASE_URL } from './command.ts';
import { runTransfer, sourceUse, targetUse } from './run-transfer.ts';

export const restoreCommand = commandOf({
  about: 'Writes a backup into the empty database that DATABASE_URL names (default sqlite:./data/tipoff.db).',
  usage: 'restore FILE',
  operand: { name: 'FILE', noun: 'file: the backup', help: `a file that ${PROGRAM} backup wrote` },
  options: {},
  notes: `Stop the service first. An interrupted restore continues when the command is repeated. Both sides are compared at the
end, table by table. Exit codes: 0 restored, 1 fault or difference, 2 refused, 130 interrupted.`,
  run: (_, file) => {
    const from = { url: `sqlite:${resolve(file)}`, use: sourceUse('FILE') };
    const to = { url: DATABASE_URL, use: targetUse('DATABASE_URL') };
    return runTransfer({
      run: (watch, log) => moveDatabase({ from, to }, watch, log),
      doneText: () => 'Start the service.',
      interruptedText: 'Interrupted. The same command continues the restore.',
      differentText: 'The database differs from the backup. Remove the database and repeat the command.',
    });
  },
});
