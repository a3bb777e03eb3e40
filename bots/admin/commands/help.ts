import { type ConsoleCommand, commandButton, prefixFor, type ReadCommand, screenOf } from '../command.ts';
import { quote } from '../parse-arguments.ts';

const BUTTONS = [
  [commandButton('Stats', 'stats'), commandButton('Health', 'health'), commandButton('Audit', 'audit')],
];

export function createHelpCommand(commands: readonly ConsoleCommand[]): ReadCommand {
  const help: ReadCommand = {
    kind: 'read',
    name: 'help',
    usage: 'help [COMMAND]',
    description: 'The commands of the operator, or how one of them is used',
    parse(argument) {
      const all = [...commands, help];
      if (argument === '') return async (_, by) => listScreen(all, prefixFor(by));
      const name = argument.replace(/^\//, '').toLowerCase();
      const command = all.find((known) => known.name === name);
      if (command !== undefined) return async (_, by) => oneScreen(command, prefixFor(by));
      const known = all.map((one) => one.name).join(', ');
      return { wrong: `${quote(argument)} is no command. Known are ${known}.` };
    },
  };
  return help;
}

function listScreen(commands: readonly ConsoleCommand[], prefix: string) {
  const lines = commands.flatMap(({ usage, description }, index) => [
    index === 0 ? '' : '\n',
    { code: prefix + usage },
    `  ${description}`,
  ]);
  return screenOf('help', [[{ bold: 'Commands of the operator' }], lines], BUTTONS);
}

function oneScreen(command: ConsoleCommand, prefix: string) {
  const asks = command.kind === 'act' && command.isIrreversible;
  return screenOf('help_of', [
    [{ code: prefix + command.usage }],
    [command.description],
    ...(asks ? [['It asks before it does what cannot be undone.']] : []),
  ]);
}
