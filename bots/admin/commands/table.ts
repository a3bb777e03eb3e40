import { type ConsoleCommand, commandButton, prefixFor, quote, screenOf, splitFirst } from '../command.ts';
import { banCommand, eraseCommand, extendCommand, unbanCommand } from './customers.ts';
import { findCommand } from './find.ts';
import { healthCommand } from './health.ts';
import { hideCommand } from './hide.ts';
import { provisionCommand, revokeCommand, tierCommand } from './keys.ts';
import { broadcastCommand, dismissCommand, outboxCommand, resendCommand } from './outbox.ts';
import { auditCommand, pauseCommand, resumeCommand, runJobCommand, statsCommand } from './service.ts';
import { whyCommand } from './why.ts';
import { withdrawCommand } from './withdraw.ts';

const helpCommand: ConsoleCommand = {
  usage: 'help [COMMAND]',
  description: 'The commands of the operator, or how one of them is used',
  async run(argument, _, by) {
    const prefix = prefixFor(by);
    if (argument === '') return listScreen(prefix);
    const name = argument.replace(/^\//, '').toLowerCase();
    const command = consoleCommands().find((known) => known.name === name);
    if (command !== undefined) return oneScreen(command, prefix);
    const known = consoleCommands().map((one) => one.name);
    return { wrong: `${quote(argument)} is not a command. Commands: ${known.join(', ')}.` };
  },
};

/** In the order in which help shows them. */
const COMMANDS: readonly ConsoleCommand[] = [
  statsCommand,
  healthCommand,
  findCommand,
  provisionCommand,
  tierCommand,
  extendCommand,
  revokeCommand,
  banCommand,
  unbanCommand,
  eraseCommand,
  whyCommand,
  pauseCommand,
  resumeCommand,
  runJobCommand,
  withdrawCommand,
  outboxCommand,
  resendCommand,
  dismissCommand,
  hideCommand,
  broadcastCommand,
  auditCommand,
  helpCommand,
];

export interface NamedCommand extends ConsoleCommand {
  readonly name: string;
  readonly args: string;
}

/** Every command of the console: for the help, the menus of the bots, the command line and the documentation. */
export function consoleCommands(): readonly NamedCommand[] {
  return COMMANDS.map((command) => {
    const [name, args] = splitFirst(command.usage);
    return { ...command, name, args };
  });
}

function listScreen(prefix: string) {
  const lines = COMMANDS.flatMap(({ usage, description }, index) => [
    index === 0 ? '' : '\n',
    { code: prefix + usage },
    `  ${description}`,
  ]);
  return screenOf(
    'help',
    [[{ bold: 'Commands of the operator' }], lines],
    [[commandButton('Stats', 'stats'), commandButton('Health', 'health'), commandButton('Audit', 'audit')]],
  );
}

function oneScreen({ usage, description, isIrreversible }: ConsoleCommand, prefix: string) {
  return screenOf('help_of', [
    [{ code: prefix + usage }],
    [description],
    ...(isIrreversible ? [['It asks for confirmation before it does what cannot be undone.']] : []),
  ]);
}
