import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished } from 'vitest';
import { openConsole, TerminalChat } from '../../bots/terminal/terminal-chat.ts';
import { localConversation, withMessages } from '../../src/cli/chat.ts';
import { createContainer } from '../../src/container.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { MIDTERMS_TAPE } from '../../src/infra/process/program.ts';
import { configOf } from './config.ts';

/** The settings of `tipoff demo`: election day, which began five minutes ago. */
const DEMO = {
  ...{ MARKET_SOURCE: `replay:${MIDTERMS_TAPE}`, REPLAY_SHIFT: '2022-11-08T17:00:00Z', REPLAY_SPEED: '1200' },
  ...{ REPLAY_HEAD_START_SECONDS: '300', LOG_LEVEL: 'silent', PORT: '0' },
};

/** The service as `tipoff demo` starts it, until the test is finished. */
export async function startReplay() {
  const folder = await mkdtemp(join(tmpdir(), 'tipoff-newcomer-'));
  const config = configOf({ ...DEMO, DATABASE_URL: `sqlite:${join(folder, 'tipoff.db')}` });
  const container = await createContainer(config);
  onTestFinished(async () => {
    await container.close();
    await rm(folder, { recursive: true, force: true });
  });
  const { address } = await container.start();
  await expect.poll(() => container.ingest?.status().source?.status().state).toBe('playing');
  return { config, origin: address };
}

/** A person at a terminal, in the chat of a service. */
export async function openTerminalChat(config: ReturnType<typeof configOf>) {
  const database = await openDatabase(config.databaseUrl);
  const [keyboard, paper] = [new PassThrough(), new PassThrough()];
  let text = '';
  paper.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  const console = openConsole({ input: keyboard, output: paper });
  const chat = new TerminalChat({
    ...{
      conversation: localConversation(database, config),
      console,
      style: (_, words) => words,
      width: null,
    },
    visitor: { platform: 'terminal', userId: 'ann', name: 'ann', chat: 'ann' },
  });
  const done = withMessages(chat, { database, config, userId: 'ann', isScript: true });
  onTestFinished(async () => {
    keyboard.end();
    await done;
    await database.close();
  });
  return { type: (line: string) => void keyboard.write(`${line}\n`), text: () => text };
}
