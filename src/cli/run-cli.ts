import { UserError } from '../core/user-error.ts';

/** Runs a command line to its end: what the user can mend is said in a sentence with exit code 2, a fault with 1. */
export async function runCli(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    const isUsage = error instanceof UserError || isParseError(error);
    const hint = isParseError(error) ? '\n--help lists the options.' : '';
    const text = isUsage ? `${(error as Error).message}${hint}` : String((error as Error).stack ?? error);
    process.stderr.write(`${text}\n`);
    process.exitCode = isUsage ? 2 : 1;
  }
}

/** node:util's parseArgs names the option that is wrong. */
function isParseError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

/** Whether the sources run, as in a checkout. The image has compiled files, and neither examples nor scripts. */
export const IS_CHECKOUT = import.meta.filename.endsWith('.ts');

/** What a user types here to run this program. */
export const PROGRAM = IS_CHECKOUT ? 'npx tipoff' : 'tipoff';
