import { type ConsoleCommand, commandButton, screenOf, splitFirst } from '../command.ts';
import { broadcastCommand } from './broadcast.ts';
import { banCommand, eraseCommand } from './customers.ts';
import { findCommand } from './find.ts';
import { healthCommand } from './health.ts';
import { hideCommand } from './hide.ts';
import { provisionCommand, revokeCommand, tierCommand } from './keys.ts';
import { pauseCommand, resumeCommand } from './pause.ts';
import { statsCommand } from './stats.ts';
import { whyCommand } from './why.ts';
import { withdrawCommand } from './withdraw.ts';

/** In the order in which the list shows them. */
const COMMANDS: readonly ConsoleCommand[] = [
  statsCommand,
  healthCommand,
  findCommand,
  provisionCommand,
  tierCommand,
  revokeCommand,
  banCommand,
  eraseCommand,
  whyCommand,
  pauseCommand,
  resumeCommand,
  withdrawCommand,
  hideCommand,
  broadcastCommand,
];

export interface NamedCommand extends ConsoleCommand {
  readonly name: string;
  readonly args: string;
}

/** Every command of the console: for its list, the menus of the bots, the command line and the documentation. */
export function consoleCommands(): readonly NamedCommand[] {
  return COMMANDS.map((command) => {
    const [name, args] = splitFirst(command.usage);
    return { ...command, name, args };
  });
}

/** `prefix`: what the operator types before a command. */
export function commandList(prefix: string) {
  const lines = COMMANDS.flatMap(({ usage, description }, index) => [
    index === 0 ? '' : '\n',
    { code: prefix + usage },
    `  ${description}`,
  ]);
  return screenOf(
    'help',
    [[{ bold: 'Commands of the operator' }], lines],
    [[commandButton('Stats', 'stats'), commandButton('Health', 'health')]],
  );
}
