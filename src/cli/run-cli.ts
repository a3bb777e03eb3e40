import { UserError } from '../core/base/user-error.ts';
import { isOutage } from '../infra/database/outage.ts';
import { exitReport } from '../infra/process/exit-report.ts';
import { createTerminal } from './terminal.ts';

/** Runs a command line to its end: what the user can mend is said in a sentence with exit code 2, an outage with 1, and a fault by its stack. */
export async function runCli(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    const { text, code } = exitReport(
      isParseError(error) ? new UserError(`${error.message}\n--help lists the options.`) : error,
      isOutage,
    );
    process.stderr.write(`${text}\n`);
    process.exitCode = code;
  }
}

/** Runs the command of this process with its arguments, or prints its help where that is asked for. */
export function runCommand(help: string, command: (args: string[]) => Promise<void>): Promise<void> {
  const args = process.argv.slice(2);
  if (!args.includes('--help') && !args.includes('-h')) return runCli(() => command(args));
  return runCli(async () => createTerminal(process.stdout).line(help));
}

/** node:util's parseArgs names the option that is wrong. */
function isParseError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}
