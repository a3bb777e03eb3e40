import { nearestName } from '../core/base/text/nearest-name.ts';
import { UserError } from '../core/base/user-error.ts';
import { VERSION } from '../infra/outgoing/user-agent.ts';
import { PROGRAM } from '../infra/process/program.ts';
import { COMMANDS } from './commands.ts';
import { runCli } from './run-cli.ts';
import { createTerminal } from './terminal.ts';

const NAMES = Object.keys(COMMANDS);
const WIDTH = Math.max(...NAMES.map((name) => name.length));
const HELP = `Watches prediction-market trades and publishes those that look informed as alerts.

Usage: ${PROGRAM} COMMAND [options]

${Object.entries(COMMANDS)
  .map(([name, { description }]) => `  ${name.padEnd(WIDTH)}  ${description}`)
  .join('\n')}

  --help     this text; after a command, that command's
  --version  the version

  Environment variables are the settings, among them DATABASE_URL (docs/settings.md).`;

async function main(name: string | undefined): Promise<void> {
  const terminal = createTerminal(process.stdout);
  if (name === '--help' || name === '-h' || name === 'help') return terminal.line(HELP);
  if (name === '--version') return terminal.line(VERSION);
  if (name === undefined) throw new UserError(`Name a command.\n\n${HELP}`);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw new UserError(unknownCommand(name));
  // What follows the name is the command's own.
  process.argv.splice(2, 1);
  await command.run();
}

function unknownCommand(name: string): string {
  const nearest = nearestName(name, NAMES);
  const hint = nearest === null ? '' : ` Did you mean ${nearest}?`;
  return `${name}: no such command.${hint} Known are ${NAMES.join(', ')}.`;
}

await runCli(() => main(process.argv[2]));
