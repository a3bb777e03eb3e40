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
  load(): Promise<Command>;
}

export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  start: {
    description: 'the service: watches the market and serves the API',
    load: async () => START,
  },
  demo: {
    description: 'real trades of 2022 become alerts, offline',
    load: async () => (await import('./demo.ts')).demoCommand,
  },
  keys: {
    description: 'issues and lists API keys',
    load: async () => (await import('./keys.ts')).keysCommand,
  },
  admin: {
    description: 'the operator’s console',
    load: async () => (await import('./admin.ts')).adminCommand,
  },
  chat: {
    description: 'the bot in this terminal: alerts that you follow, and API keys',
    load: async () => (await import('./chat.ts')).terminalChatCommand,
  },
  listen: {
    description: 'receives, verifies and prints the webhooks of a service on this computer',
    load: async () => (await import('./listen/run.ts')).listenCommand,
  },
  export: {
    description: 'writes the database to a file, while the service runs',
    load: async () => (await import('./export.ts')).exportCommand,
  },
  import: {
    description: 'writes an export into an empty database, of SQLite or MongoDB',
    load: async () => (await import('./import.ts')).importCommand,
  },
  backtest: {
    description: 'what can be concluded from the alerts on a tape',
    load: async () => (await import('./backtest.ts')).backtestCommand,
  },
  capture: {
    description: 'writes the rows of the live market as a tape',
    load: async () => (await import('./capture.ts')).captureCommand,
  },
  doctor: {
    description: 'checks that the market still behaves as Tipoff expects',
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
  verify: {
    description: 'verifies the log of a service, and that it extends a head that you kept',
    load: async () => (await import('./verify.ts')).verifyCommand,
  },
};
