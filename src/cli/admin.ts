import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { consoleCommands } from '../../bots/admin/commands/table.ts';
import { createConsolePosts } from '../../bots/admin/console-posts.ts';
import { OperatorConsole } from '../../bots/admin/operator-console.ts';
import type { AdminConsole } from '../../bots/shared/admin-console.ts';
import { screenWords } from '../../bots/terminal/screen-text.ts';
import { UserError } from '../core/base/user-error.ts';
import { CHANNELS } from '../core/chat/chat-message.ts';
import type { Database } from '../core/database.ts';
import { JOB_NAMES } from '../core/operations/job-run-store.ts';
import { RequestSender } from '../core/operations/operator-request.ts';
import { PROGRAM } from '../infra/process/program.ts';
import { systemClock } from '../infra/process/system-clock.ts';
import { argon2Hasher } from '../infra/secrets/argon2-hasher.ts';
import { secureRandom } from '../infra/secrets/key-crypto.ts';
import { createLogger } from '../infra/telemetry/logger.ts';
import { wireCustomers } from '../wiring/customers.ts';
import { checkSetup } from './check-setup.ts';
import { runCommand } from './run-cli.ts';
import { type CommandLine, type CommandResult, runConsoleCommand } from './run-console-command.ts';
import { createTerminal } from './terminal.ts';
import { DATABASE_URL, withDatabase } from './with-database.ts';

const COMMANDS = consoleCommands();
const WIDTH = Math.max(...COMMANDS.map(({ usage }) => usage.length));
const HELP = `The operator's console: what its bots can do, on a keyboard.

Usage: ${PROGRAM} admin COMMAND

  ${'check'.padEnd(WIDTH)}  Checks tokens, channels and rights of the bots; posts, edits and deletes a silent message
${COMMANDS.map(({ usage, description }) => `  ${usage.padEnd(WIDTH)}  ${description}`).join('\n')}

  --yes   does what cannot be undone without asking
  --help  this text

  The database is the one DATABASE_URL names (default sqlite:./data/tipoff.db). Every act lands in the audit log.
  run JOB, and withdraw of a post that is out, are carried out by the running service, within 30 s or not at all.
  check needs no running service and no database: it reads the settings of the service, tokens included.
  Exit codes: 0 done, 1 refused or not done, 2 wrong usage.`;

const EXIT_CODES: Readonly<Record<CommandResult, number>> = { done: 0, refused: 1, usage: 2 };

const terminal = createTerminal(process.stdout);

async function main(args: readonly string[]): Promise<void> {
  if (args[0] === 'check') {
    process.exitCode = (await checkSetup((line) => terminal.line(line)))
      ? EXIT_CODES.done
      : EXIT_CODES.refused;
    return;
  }
  const command = commandOf(args.filter((arg) => arg !== '--yes'));
  const isSure = args.includes('--yes');
  await withDatabase(DATABASE_URL, async (database) => {
    const operatorTerminal = {
      adminConsole: createDatabaseConsole(database),
      actor: { platform: 'terminal', userId: userName(), name: null, roleIds: [] },
      show: (screen) => terminal.line(screenWords(screen, { style: terminal.style, width: null })),
      confirm: async () => isSure || (await typesYes()),
    } satisfies Parameters<typeof runConsoleCommand>[0];
    process.exitCode = EXIT_CODES[await runConsoleCommand(operatorTerminal, command)];
  });
}

function commandOf([name, ...words]: readonly string[]): CommandLine {
  if (name === undefined) throw new UserError(`Name a command.\n\n${HELP}`);
  if (!COMMANDS.some((command) => command.name === name)) {
    const known = [...COMMANDS.map((command) => command.name), 'check'].join(', ');
    throw new UserError(`${name}: no such command. Known are ${known}.`);
  }
  // The shell took the quotes off; a label that was one word in it is one for the console, too.
  const quoted = words.map((word) => (name === 'provision' && /\s/.test(word) ? `"${word}"` : word));
  return { name, argument: quoted.join(' ') };
}

async function typesYes(): Promise<boolean> {
  if (process.stdin.isTTY !== true) {
    process.stderr.write('Confirmation needs a terminal; without one, add --yes.\n');
    return false;
  }
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await reader.question('\nType yes to do it: ')).trim().toLowerCase() === 'yes';
  } finally {
    reader.close();
  }
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}

/** The console on a database alone: a running service carries out what needs a bot or a job. */
function createDatabaseConsole(database: Database): AdminConsole {
  const { keys, usage, alerts, chat, pauses: switches, statements, jobRuns, heartbeats, audit } = database;
  const customers = wireCustomers(database, systemClock, argon2Hasher);
  const logger = createLogger('error', { write: (line) => void process.stderr.write(line) });
  return new OperatorConsole({
    adminIds: [],
    customers,
    ...{ keys, usage, alerts, pauses: switches, statements, heartbeats, audit, logger },
    alarms: database.operatorAlarms,
    serves: [],
    requests: new RequestSender({
      requests: database.operatorRequests,
      heartbeats,
      clock: systemClock,
      random: secureRandom,
      onProgress: (words) => void process.stderr.write(`${words}\n`),
    }),
    reads: database.operatorReads,
    posts: createConsolePosts({
      store: chat,
      alerts,
      customers,
      messengers: {},
      platforms: CHANNELS,
      clock: systemClock,
      signal: new AbortController().signal,
    }),
    outbox: chat,
    jobs: { names: JOB_NAMES, latest: () => jobRuns.latest(), run: null },
    random: secureRandom,
    clock: systemClock,
  });
}

await runCommand(HELP, main);
