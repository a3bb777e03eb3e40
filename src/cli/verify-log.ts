import { systemClock } from '../infra/system-clock.ts';
import { runCommand } from './run-command.ts';
import { runVerifyLog } from './run-verify-log.ts';
import { createTerminal } from './terminal.ts';

await runCommand(async () => {
  const terminal = createTerminal(process.stdout);
  process.exitCode = await runVerifyLog(process.argv.slice(2), {
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
