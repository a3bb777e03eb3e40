import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import type { Conversation } from '../../bots/shared/conversation.ts';
import { type Console, openConsole, TerminalChat } from '../../bots/terminal/terminal-chat.ts';
import type { Config } from '../config.ts';
import { UserError } from '../core/base/user-error.ts';
import type { Database } from '../core/database.ts';
import { openDatabase, sqliteFile } from '../infra/database/database.ts';
import { PROGRAM } from '../infra/process/program.ts';
import { systemClock } from '../infra/process/system-clock.ts';
import { argon2Hasher } from '../infra/secrets/argon2-hasher.ts';
import { createLogger } from '../infra/telemetry/logger.ts';
import { wireConversation } from '../wiring/conversation.ts';
import { wireCustomers } from '../wiring/customers.ts';
import { urlInChat } from '../wiring/public-url.ts';
import { TerminalMessages } from '../wiring/terminal-messages.ts';
import { commandOf, isCreated, readConfig } from './command.ts';
import { findDemo } from './demo-folder.ts';
import { runningAddress } from './running-service.ts';
import { createTerminal, type Terminal } from './terminal.ts';

const MOST_COLUMNS = 100;

export const terminalChatCommand = commandOf({
  about:
    'The bot in your terminal: alerts that you follow, and API keys. The same conversation as in Telegram and Discord.',
  usage: 'chat [--as NAME] [--demo]',
  options: {
    as: {
      type: 'string',
      value: 'NAME',
      help: 'your user name in the chat; by default your name on this computer',
    },
    demo: {
      type: 'boolean',
      help: 'the bot of the demo that was started last on this computer, instead of DATABASE_URL',
    },
  },
  notes: `Choose a button by its number or its words, send a command like /key, or write text.
Ctrl-D ends. A script pipes its lines: printf '/key\\n1\\n' | ${PROGRAM} chat
The database is the one DATABASE_URL names (default sqlite:./data/tipoff.db). With the
service running beside it the key works immediately, and the lines to paste have its address.`,
  async run({ as, demo = false }) {
    await chat(personName(as), { ...process.env, ...(demo && (await demoSettings())) });
  },
});

async function demoSettings(): Promise<Readonly<Record<string, string>>> {
  const demo = await findDemo();
  if (demo !== null) return { DATABASE_URL: demo.databaseUrl, PUBLIC_URL: demo.url };
  throw new UserError(`--demo: no demo is running. Start one in another terminal: ${PROGRAM} demo`);
}

async function chat(name: string, settings: NodeJS.ProcessEnv): Promise<void> {
  const terminal = createTerminal(process.stdout);
  const given = readConfig(settings);
  // Reading begins immediately: piped input must not be lost while the database opens.
  const console = openConsole({ input: process.stdin, output: process.stdout });
  process.once('SIGINT', console.close).once('SIGTERM', console.close);
  process.stdout.once('error', console.close);
  const isNew = !isCreated(given.databaseUrl);
  const database = await openDatabase(given.databaseUrl);
  if (isNew) process.stderr.write(`New database: ${resolve(sqliteFile(given.databaseUrl) ?? '')}\n`);
  try {
    const config = await withRunningAddress(given, database);
    greet(console, terminal);
    const chat = new TerminalChat({
      conversation: localConversation(database, config),
      visitor: { platform: 'terminal', userId: name, name, chat: name },
      console,
      style: terminal.style,
      // A terminal that does not know its width says 0.
      width: terminal.isInteractive ? Math.min(process.stdout.columns || MOST_COLUMNS, MOST_COLUMNS) : null,
    });
    await withMessages(chat, { database, config, userId: name, isScript: !console.isInteractive });
  } catch (error) {
    // A closed output ends the chat, as the end of its input does.
    if (!isBrokenPipe(error)) throw error;
  } finally {
    console.close();
    await database.close();
  }
}

/** The settings with the address of the service that runs on the database; says which one the chat uses. */
async function withRunningAddress(config: Config, database: Database): Promise<Config> {
  const address = await runningAddress(database);
  const publicUrl = address ?? config.server.publicUrl;
  const shown = urlInChat({ ...config.server, publicUrl }, null);
  process.stderr.write(
    address === null
      ? `No service is running; lines to paste are for ${shown}.\n`
      : `The service at ${shown}.\n`,
  );
  return { ...config, server: { ...config.server, publicUrl } };
}

/** Runs the chat, and shows meanwhile what comes for the person; a script gets at its end what is due. */
export async function withMessages(
  chat: TerminalChat,
  { isScript, ...rest }: { database: Database; config: Config; userId: string; isScript: boolean },
): Promise<void> {
  const customers = wireCustomers(rest.database, systemClock, argon2Hasher);
  const logger = createLogger('error', process.stderr);
  const { messenger, notify } = chat;
  const messages = new TerminalMessages({
    ...rest,
    customers,
    clock: systemClock,
    logger,
    messenger,
    notify,
  });
  const end = new AbortController();
  const sending = messages.run(end.signal);
  try {
    await chat.run();
  } finally {
    end.abort();
    await sending;
  }
  if (isScript) await messages.sendDue();
}

export function localConversation(database: Database, config: Config): Conversation {
  const customers = wireCustomers(database, systemClock, argon2Hasher);
  const logger = createLogger('error', process.stderr);
  const context = { database, clock: systemClock, customers, config, logger };
  return wireConversation(context, {
    communities: {},
    address: null,
  });
}

function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}

function greet({ isInteractive }: Console, { line, style }: Terminal): void {
  if (!isInteractive) return;
  line(style('gray', 'The Tipoff bot in your terminal: type a number, a /command or text. Ctrl-D ends.'));
  line(
    style('gray', 'While the service runs, alerts that you follow appear here, and a key works immediately.'),
  );
}

function personName(given: string | undefined): string {
  const name = (given ?? userInfo().username).trim();
  if (/^[\p{L}\p{N}._@ -]{1,64}$/u.test(name)) return name;
  throw new UserError('--as: expected 1 to 64 letters, digits, spaces, or any of . _ @ -');
}
