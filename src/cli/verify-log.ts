import { systemClock } from '../infra/system-clock.ts';
import { runCli } from './run-cli.ts';
import { createTerminal } from './terminal.ts';
import { runVerifyLog } from './verify-log/run.ts';

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
