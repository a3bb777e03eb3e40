import { systemClock } from '../infra/process/system-clock.ts';
import { runCommand } from './run-cli.ts';
import { createTerminal } from './terminal.ts';
import { VERIFY_LOG_HELP } from './verify-log/options.ts';
import { runVerifyLog } from './verify-log/run.ts';

await runCommand(VERIFY_LOG_HELP, async (args) => {
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
});
