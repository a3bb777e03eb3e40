import { databaseFailure } from '../infra/database/database.ts';
import { checkExport, importFile } from '../infra/database/transfer/import.ts';
import { openImportTarget } from '../infra/database/transfer/import-target.ts';
import { PROGRAM } from '../infra/process/program.ts';
import { commandOf, DATABASE_URL } from './command.ts';
import { EntryProgress } from './entry-progress.ts';

export const importCommand = commandOf({
  about: 'Writes an export into an empty database of either kind.',
  usage: 'import FILE',
  operand: { name: 'FILE', noun: 'file with an export', help: `what ${PROGRAM} export wrote` },
  options: {},
  notes: `The database is the one DATABASE_URL names (default sqlite:./data/tipoff.db); it is created where there is none. All of
FILE is checked first. After an interruption, remove the database and repeat the command. Stop the service that wrote
the export before you start one on the new database. Exit codes: 0 imported, 1 fault, 2 refused.`,
  async run(_, file) {
    const counts = await checkExport(file);
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    using progress = new EntryProgress(total);
    try {
      await using target = await openImportTarget(DATABASE_URL);
      await importFile(file, target, (count) => progress.add(count));
    } catch (error) {
      throw databaseFailure(error, DATABASE_URL);
    }
    progress.done(`Imported ${progress.documents}. Start the service on this database.`);
  },
});
