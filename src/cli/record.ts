import { systemClock } from '../infra/process/system-clock.ts';
import {
  parseRecordOptions,
  RECORD_HELP,
  type RecordCommandOptions,
  recordJournal,
} from './record-journal.ts';
import { runCommand } from './run-cli.ts';
import { createTerminal } from './terminal.ts';
import { DATABASE_URL, withDatabase } from './with-database.ts';

const INTERRUPTED = 130;

async function main(args: string[]): Promise<void> {
  const options = parseRecordOptions(args);
  await withDatabase(DATABASE_URL, async ({ journal }) => {
    const stop = new AbortController();
    const onSignal = () => stop.abort();
    // A second signal ends the process immediately.
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, onSignal);
    try {
      await run(options, journal, stop.signal);
    } finally {
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, onSignal);
    }
  });
}

async function run(
  options: RecordCommandOptions,
  journal: Parameters<typeof recordJournal>[0]['journal'],
  signal: AbortSignal,
): Promise<void> {
  // Standard output may be the tape.
  const terminal = createTerminal(process.stderr);
  const { rows, until, missing, isCut } = await recordJournal(
    {
      journal,
      clock: systemClock,
      output: process.stdout,
      say: terminal.line,
      onProgress: (count, at) => terminal.progress(`${rowsText(count)}, up to ${new Date(at).toISOString()}`),
    },
    options,
    signal,
  );
  const name = options.file ?? 'standard output';
  const end = until === null ? '' : `, up to ${new Date(until).toISOString()}`;
  if (isCut)
    terminal.line(`Interrupted: ${options.file === null ? 'the tape is cut off' : 'nothing was kept'}.`);
  else terminal.line(`${rowsText(rows)} in ${name}${end}.`);
  if (isCut) process.exitCode = INTERRUPTED;
  else if (missing > 0) process.exitCode = 1;
}

function rowsText(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'}`;
}

await runCommand(RECORD_HELP, main);
