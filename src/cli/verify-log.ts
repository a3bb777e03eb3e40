import { systemClock } from '../infra/system-clock.ts';
import { runCli } from './run-command.ts';
import { runVerifyLog } from './run-verify-log.ts';
import { createTerminal } from './terminal.ts';

await runCli(async () => {
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
