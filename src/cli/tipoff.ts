import { nearestName } from '../core/base/text/nearest-name.ts';
import { UserError } from '../core/base/user-error.ts';
import { isOutage } from '../infra/database/outage.ts';
import { VERSION } from '../infra/outgoing/user-agent.ts';
import { exitReport } from '../infra/process/exit-report.ts';
import { PROGRAM } from '../infra/process/program.ts';
import { COMMANDS } from './commands.ts';
import { createTerminal } from './terminal.ts';

const NAMES = Object.keys(COMMANDS);
const WIDTH = Math.max(...NAMES.map((name) => name.length));
const HELP = `Watches Polymarket and publishes the bets that look informed as alerts.

Usage: ${PROGRAM} COMMAND [options]

${Object.entries(COMMANDS)
  .map(([name, { description }]) => `  ${name.padEnd(WIDTH)}  ${description}`)
  .join('\n')}

  --help     this text; after a command, that command's
  --version  the version

  Environment variables are the settings, among them DATABASE_URL (docs/settings.md).`;

async function main([name, ...args]: readonly string[]): Promise<void> {
  const print = (text: string) => createTerminal(process.stdout).line(text);
  if (name === '--help' || name === '-h' || name === 'help') return print(HELP);
  if (name === '--version') return print(VERSION);
  if (name === undefined) throw new UserError(`Name a command.\n\n${HELP}`);
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (entry === undefined) throw new UserError(unknownCommand(name));
  const command = await entry.load();
  if (args.includes('--help') || args.includes('-h')) return print(command.help);
  await command.run(args);
}

function unknownCommand(name: string): string {
  const nearest = nearestName(name, NAMES);
  const hint = nearest === null ? '' : ` Did you mean ${nearest}?`;
  return `${name}: no such command.${hint} Commands: ${NAMES.join(', ')}.`;
}

function isParseError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const shown = isParseError(error) ? new UserError(`${error.message}\n--help lists the options.`) : error;
  const { text, code } = exitReport(shown, isOutage);
  process.stderr.write(`${text}\n`);
  process.exitCode = code;
}
