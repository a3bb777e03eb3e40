import { type Command, commandOf } from './command.ts';

const START = commandOf({
  about: 'The service: watches the market and serves the API, until SIGTERM or Ctrl-C.',
  usage: 'start',
  options: {},
  notes: `Environment variables are its settings (docs/settings.md). Exit codes: 0 stopped, 1 a fault, or a
database that is unavailable for 60 s, 2 something must be changed first: a setting, or what it names.`,
  run: async () => void (await import('../main.ts')),
});

interface CommandEntry {
  readonly description: string;
  load(): Promise<{ readonly command: Command }>;
}

export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  start: {
    description: 'the service: watches the market and serves the API',
    load: async () => ({ command: START }),
  },
  demo: { description: 'real trades of 2022 become alerts, offline', load: () => import('./demo.ts') },
  keys: { description: 'issues, lists, changes and revokes API keys', load: () => import('./keys.ts') },
  admin: { description: 'the operator’s console', load: () => import('./admin.ts') },
  chat: {
    description: 'the bot in this terminal: alerts that you follow, and API keys',
    load: () => import('./chat.ts'),
  },
  listen: {
    description: 'receives, verifies and prints the webhooks of a service on this computer',
    load: () => import('./listen/run.ts'),
  },
  backup: {
    description: 'writes the database to a file, while the service runs',
    load: () => import('./backup.ts'),
  },
  restore: { description: 'writes a backup into an empty database', load: () => import('./restore.ts') },
  move: {
    description: 'moves a database into another, from SQLite to MongoDB or back',
    load: () => import('./move.ts'),
  },
  backtest: {
    description: 'what can be concluded from the alerts on a tape',
    load: () => import('./backtest.ts'),
  },
  capture: {
    description: 'writes the rows of the live market as a tape',
    load: () => import('./capture.ts'),
  },
  capacity: {
    description: 'what a service needs for a given load, and which limit comes first',
    load: () => import('./capacity.ts'),
  },
  doctor: {
    description: 'checks that the market still behaves as Tipoff expects',
    load: () => import('./doctor.ts'),
  },
  'verify-log': {
    description: 'verifies the whole log of a service, and that it extends what you saw of it before',
    load: () => import('./verify-log/run.ts'),
  },
  'discord-commands': {
    description: 'registers the bot’s commands with Discord',
    load: () => import('./discord-commands.ts'),
  },
};
