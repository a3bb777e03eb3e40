import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { consoleCommands } from '../../bots/admin/commands/table.ts';
import type { SetupItem } from '../../bots/shared/bot-setup.ts';
import type { Actor, AdminConsole } from '../../bots/shared/conversation.ts';
import type { Screen } from '../../bots/shared/screen.ts';
import { screenWords } from '../../bots/terminal/screen-text.ts';
import { UserError } from '../core/base/user-error.ts';
import { CHANNELS } from '../core/chat/chat-message.ts';
import type { Database } from '../core/database.ts';
import { RequestSender } from '../core/operations/operator-request.ts';
import { PROGRAM } from '../infra/process/program.ts';
import { systemClock } from '../infra/process/system-clock.ts';
import { argon2Hasher } from '../infra/secrets/argon2-hasher.ts';
import { secureRandom } from '../infra/secrets/key-crypto.ts';
import { createLogger } from '../infra/telemetry/logger.ts';
import { openOperatorConsole } from '../wiring/console.ts';
import { wireCustomers } from '../wiring/customers.ts';
import type { OpenedSetup } from '../wiring/platform.ts';
import { openPlatforms } from '../wiring/platforms.ts';
import { missingPublicUrl } from '../wiring/public-url.ts';
import { type Command, DATABASE_URL, readConfig, withDatabase } from './command.ts';
import { createTerminal } from './terminal.ts';

const COMMANDS = consoleCommands();
const WIDTH = Math.max(...COMMANDS.map(({ usage }) => usage.length));
const HELP = `The operator's console: everything the operator bots can do, in a terminal.

Usage: ${PROGRAM} admin COMMAND

  ${'check'.padEnd(WIDTH)}  Checks tokens, channels and rights of the bots; posts, edits and deletes a silent message
${COMMANDS.map(({ usage, description }) => `  ${usage.padEnd(WIDTH)}  ${description}`).join('\n')}

  --yes   carries out irreversible commands without asking
  --help  this text

  The database is the one DATABASE_URL names (default sqlite:./data/tipoff.db). Every command is recorded in the audit log.
  A running service carries out what changes something, within 30 s or not at all. Where none runs it is done here,
  without the bots: messages that were sent stay in their chats.
  check needs no running service and no database: it reads the settings of the service, tokens included.
  Exit codes: 0 done, 1 refused or not done, 2 wrong usage.`;

const EXIT_CODES = { done: 0, refused: 1, usage: 2 } as const;
const REFUSALS: Readonly<Record<string, number>> = {
  admin_bad_arguments: EXIT_CODES.usage,
  admin_refused: EXIT_CODES.refused,
  admin_cancelled: EXIT_CODES.refused,
  admin_not_recorded: EXIT_CODES.refused,
  admin_nothing_waits: EXIT_CODES.refused,
  admin_sorry: EXIT_CODES.refused,
};

export const adminCommand: Command = {
  help: HELP,
  async run(args) {
    const terminal = createTerminal(process.stdout);
    if (args[0] === 'check') {
      const isComplete = await checkSetup(terminal.line);
      process.exitCode = isComplete ? EXIT_CODES.done : EXIT_CODES.refused;
      return;
    }
    const line = commandLine(args.filter((arg) => arg !== '--yes'));
    const isSure = args.includes('--yes');
    await withDatabase(DATABASE_URL, async (database) => {
      const adminConsole = createDatabaseConsole(database);
      const show = (screen: Screen) =>
        terminal.line(screenWords(screen, { style: terminal.style, width: null }));
      const confirm = async () => isSure || (await typesYes());
      process.exitCode = await runCommand(adminConsole, line, show, confirm);
    });
  },
};

async function runCommand(
  adminConsole: AdminConsole,
  line: CommandLine,
  show: (screen: Screen) => void,
  confirm: () => Promise<boolean>,
): Promise<number> {
  const actor: Actor = { platform: 'terminal', userId: userName(), name: null, roleIds: [] };
  const screen = await adminConsole.move(actor, { kind: 'command', ...line });
  if (screen === null) return EXIT_CODES.usage;
  show(screen);
  if (screen.name !== 'admin_confirm') return REFUSALS[screen.name] ?? EXIT_CODES.done;
  const answer = (await confirm()) ? 'admin:confirm:' : 'admin:cancel:';
  const actions = screen.buttons.flat().flatMap((button) => ('action' in button ? [button.action] : []));
  const action = actions.find((each) => each.startsWith(answer)) ?? '';
  const answered = await adminConsole.move(actor, { kind: 'tap', action });
  if (answered === null) throw new Error('the console did not accept its own confirmation');
  show(answered);
  return REFUSALS[answered.name] ?? EXIT_CODES.done;
}

interface CommandLine {
  readonly name: string;
  readonly argument: string;
}

function commandLine([name, ...words]: readonly string[]): CommandLine {
  if (name === undefined) throw new UserError(`Name a command.\n\n${HELP}`);
  if (!COMMANDS.some((known) => known.name === name)) {
    const known = [...COMMANDS.map((each) => each.name), 'check'].join(', ');
    throw new UserError(`${name}: no such command. Commands: ${known}.`);
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
    // Some containers run as a user without an entry.
    return 'unknown';
  }
}

/** The console on a database alone: a running service carries out its acts. */
function createDatabaseConsole(database: Database): AdminConsole {
  const write = (text: string) => void process.stderr.write(text);
  const { operatorRequests, worker } = database;
  const requests = new RequestSender({
    requests: operatorRequests,
    worker,
    clock: systemClock,
    random: secureRandom,
    onProgress: (words) => write(`${words}\n`),
  });
  return openOperatorConsole({
    database,
    alerts: database.alerts,
    clock: systemClock,
    adminIds: [],
    customers: wireCustomers(database, systemClock, argon2Hasher),
    requests,
    messengers: {},
    platforms: CHANNELS,
    logger: createLogger('error', { write }),
    signal: new AbortController().signal,
  });
}

/** Checks the bots, and posts a silent message to each channel. True when nothing is missing. */
async function checkSetup(print: (line: string) => void): Promise<boolean> {
  const config = readConfig(process.env);
  const logger = createLogger('error', { write: (line) => void process.stderr.write(line) });
  const platforms = await openPlatforms(config, (driver) => driver.openSetups(config, logger));
  const setups = Object.values(platforms).flat();
  if (setups.length === 0)
    throw new UserError('check needs a bot: set TELEGRAM_BOT_TOKEN or DISCORD_TOKEN as the service has it');
  let isComplete = true;
  const show = ({ name, remedy }: SetupItem) => {
    isComplete &&= remedy === null;
    print(remedy === null ? `ok       ${name}` : `missing  ${name}: ${remedy}`);
  };
  show(missingPublicUrl(config.server, null) ?? { name: 'public_url', remedy: null });
  for (const opened of setups) await check(opened, show);
  return isComplete;
}

async function check({ setting, setup, close }: OpenedSetup, show: (item: SetupItem) => void): Promise<void> {
  const name = setting.toLowerCase();
  try {
    const items = await setup.inspect();
    for (const item of [{ name, remedy: null }, ...items]) show(item);
    for (const item of await setup.prove()) show(item);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    show({ name, remedy: `${setting}: the platform does not answer as expected: ${reason}` });
  } finally {
    close();
  }
}
