import { parseArgs } from 'node:util';
import { UserError } from '../core/base/user-error.ts';
import { moveDatabase } from '../infra/database/transfer/move-database.ts';
import { PROGRAM } from '../infra/process/program.ts';
import { runCommand } from './run-cli.ts';
import { runTransfer, sourceUse, targetUse } from './transfer/run-transfer.ts';

const HELP = `Moves a database into an empty one, of the same kind or the other: keys, customers, alerts and everything else.

Usage: ${PROGRAM} move --from URL --to URL

  --from URL  the database with the rows: sqlite:FILE or mongodb://HOST/NAME
  --to URL    the new, empty database
  --help      this text

  Stop the service first. An interrupted move continues when the command is repeated. Both sides are compared at the
  end, table by table. The source is not changed. Exit codes: 0 moved, 1 fault or difference, 2 refused, 130 interrupted.`;

const TEXT = { type: 'string' } as const;

await runCommand(HELP, async (args) => {
  const { from, to } = parseArgs({ args, options: { from: TEXT, to: TEXT } }).values;
  if (from === undefined || to === undefined)
    throw new UserError('Name both databases: --from URL --to URL.');
  const sides = { from: { url: from, use: sourceUse('--from') }, to: { url: to, use: targetUse('--to') } };
  await runTransfer({
    run: (watch, log) => moveDatabase(sides, watch, log),
    doneText: () => 'Set DATABASE_URL to the new database and start the service.',
    interruptedText: 'Interrupted. The same command continues the move.',
    differentText:
      'The source has changed since the move began. Remove the new database and repeat the command.',
  });
});
