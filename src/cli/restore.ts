import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { UserError } from '../core/base/user-error.ts';
import { moveDatabase } from '../infra/database/transfer/move-database.ts';
import { PROGRAM } from '../infra/process/program.ts';
import { runCommand } from './run-cli.ts';
import { runTransfer, sourceUse, targetUse } from './transfer/run-transfer.ts';
import { DATABASE_URL } from './with-database.ts';

const HELP = `Writes a backup into the empty database that DATABASE_URL names (default sqlite:./data/tipoff.db).

Usage: ${PROGRAM} restore FILE

  FILE    a file that ${PROGRAM} backup wrote
  --help  this text

  Stop the service first. An interrupted restore continues when the command is repeated. Both sides are compared at the
  end, table by table. Exit codes: 0 restored, 1 fault or difference, 2 refused, 130 interrupted.`;

await runCommand(HELP, async (args) => {
  const { positionals } = parseArgs({ args, options: {}, allowPositionals: true });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) throw new UserError('Name one file: the backup.');
  const from = { url: `sqlite:${resolve(file)}`, use: sourceUse('FILE') };
  await runTransfer({
    run: (watch, log) =>
      moveDatabase({ from, to: { url: DATABASE_URL, use: targetUse('DATABASE_URL') } }, watch, log),
    doneText: () => 'Start the service.',
    interruptedText: 'Interrupted. The same command continues the restore.',
    differentText: 'The database differs from the backup. Remove the database and repeat the command.',
  });
});
