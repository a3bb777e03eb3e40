import { parseArgs } from 'node:util';
import { PROGRAM } from '../infra/process/program.ts';
import { createTerminal } from './terminal.ts';

const START_HELP = `The service: watches the market and serves the API, until SIGTERM or Ctrl-C.

Usage: ${PROGRAM} start

  --help  this text

  Environment variables are its settings (docs/settings.md). Exit codes: 0 stopped, 1 a fault, or a
  database that is absent for 60 s, 2 something must be changed first: a setting, or what it names.`;

interface Command {
  readonly description: string;
  /** Runs the command in this process, with the arguments in `process.argv`. */
  run(): Promise<unknown>;
}

/** Every command of `tipoff`. The file of a command runs it when it is loaded. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  start: { description: 'the service: watches the market and serves the API', run: start },
  demo: { description: 'real trades of 2022 become alerts, offline', run: () => import('./demo.ts') },
  keys: { description: 'issues, lists, changes and revokes API keys', run: () => import('./keys.ts') },
  admin: { description: 'the operator’s console', run: () => import('./admin.ts') },
  chat: { description: 'the bot that gives keys, on this keyboard', run: () => import('./chat.ts') },
  backup: {
    description: 'writes the database to a file, while the service runs',
    run: () => import('./backup.ts'),
  },
  restore: { description: 'writes a backup into an empty database', run: () => import('./restore.ts') },
  move: {
    description: 'moves a database into another, from SQLite to MongoDB or back',
    run: () => import('./move.ts'),
  },
  backtest: {
    description: 'what can be concluded from the alerts on a tape',
    run: () => import('./backtest.ts'),
  },
  record: {
    description: 'writes the rows of the live market as a tape',
    run: () => import('./record.ts'),
  },
  doctor: {
    description: 'examines whether the market is as this program assumes',
    run: () => import('./doctor.ts'),
  },
  'verify-log': {
    description: 'proves that the log of a service extends what was seen of it before',
    run: () => import('./verify-log.ts'),
  },
  'discord-commands': {
    description: 'registers the bot’s commands with Discord',
    run: () => import('./discord-commands.ts'),
  },
};

async function start(): Promise<void> {
  const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
  if (values.help === true) createTerminal(process.stdout).line(START_HELP);
  else await import('../main.ts');
}
