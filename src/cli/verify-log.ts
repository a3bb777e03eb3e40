import { systemClock } from '../infra/process/system-clock.ts';
import type { Command } from './command.ts';
import { createTerminal } from './terminal.ts';
import { VERIFY_LOG_HELP } from './verify-log/options.ts';
import { runVerifyLog } from './verify-log/run.ts';

export const command: Command = {
  help: VERIFY_LOG_HELP,
  async run(args) {
    const terminal = createTerminal(process.stdout);
    process.exitCode = await runVerifyLog(args, {
      env: process.env,
      stdin: process.stdin,
      terminal,
      clock: systemClock,
      complain(text) {
        terminal.progress('');
        process.stderr.write(`${text}\n`);
      },
    });
  },
};
