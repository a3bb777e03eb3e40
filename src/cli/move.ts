import { UserError } from '../core/base/user-error.ts';
import { moveDatabase } from '../infra/database/transfer/move-database.ts';
import { commandOf } from './command.ts';
import { runTransfer, sourceUse, targetUse } from './run-transfer.ts';

export const moveCommand = commandOf({
  about:
    'Moves a database into an empty one, of the same kind or the other: keys, customers, alerts and everything else.',
  usage: 'move --from URL --to URL',
  options: {
    from: {
      type: 'string',
      value: 'URL',
      help: 'the database with the rows: sqlite:FILE or mongodb://HOST/NAME',
    },
    to: { type: 'string', value: 'URL', help: 'the new, empty database' },
  },
  notes: `Stop the service first. An interrupted move continues when the command is repeated. Both sides are compared at the
end, table by table. The source is not changed. Exit codes: 0 moved, 1 fault or difference, 2 refused, 130 interrupted.`,
  run: async ({ from, to }) => {
    if (from === undefined || to === undefined)
      throw new UserError('Name both databases: --from URL --to URL.');
    const sides = {
      from: { url: from, use: sourceUse('--from') },
      to: { url: to, use: targetUse('--to') },
    };
    await runTransfer({
      run: (watch, log) => moveDatabase(sides, watch, log),
      doneText: () => 'Set DATABASE_URL to the new database and start the service.',
      interruptedText: 'Interrupted. The same command continues the move.',
      differentText:
        'The source has changed since the move began. Remove the new database and repeat the command.',
    });
  },
});
