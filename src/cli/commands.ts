import { parseArgs } from 'node:util';
import { PROGRAM } from './run-cli.ts';
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

const MOST_EDITS = 2;

/** The name that a misspelt one probably means: one that it begins, or one within two edits. Null when none is. */
export function nearestName(given: string, names: readonly string[]): string | null {
  const begun = names.find((name) => given.length > 1 && name.startsWith(given));
  if (begun !== undefined) return begun;
  const [nearest] = names
    .map((name) => ({ name, edits: editsBetween(given, name) }))
    .filter(({ edits, name }) => edits <= MOST_EDITS && edits < name.length)
    .sort((a, b) => a.edits - b.edits);
  return nearest?.name ?? null;
}

/** The Levenshtein distance. */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] as number) + (letter === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
