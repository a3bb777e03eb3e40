import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { openConsole, TerminalChat } from '../../bots/terminal/terminal-chat.ts';
import { localConversation, withMessages } from '../../src/cli/chat.ts';
import { createContainer } from '../../src/container.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { MIDTERMS_TAPE } from '../../src/infra/process/program.ts';
import { configOf } from '../support/config.ts';

/** The settings of `tipoff demo`: election day, which began five minutes ago. */
const DEMO = {
  ...{ MARKET_SOURCE: `replay:${MIDTERMS_TAPE}`, REPLAY_SHIFT: '2022-11-08T17:00:00Z', REPLAY_SPEED: '1200' },
  ...{ REPLAY_HEAD_START_SECONDS: '300', LOG_LEVEL: 'silent', PORT: '0' },
};

async function startService() {
  const folder = await mkdtemp(join(tmpdir(), 'tipoff-newcomer-'));
  const config = configOf({ ...DEMO, DATABASE_URL: `sqlite:${join(folder, 'tipoff.db')}` });
  const container = await createContainer(config);
  onTestFinished(async () => {
    await container.close();
    await rm(folder, { recursive: true, force: true });
  });
  await container.start();
  await expect.poll(() => container.ingest?.status().source?.status().state).toBe('playing');
  return config;
}

async function openChat(config: ReturnType<typeof configOf>) {
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

/** The lines that a person types in the transcript of docs/bots.md. */
async function typedInDocs(): Promise<readonly string[]> {
  const [, shown = ''] =
    /<!-- newcomer -->([\s\S]*)<!-- \/newcomer -->/.exec(await readFile('docs/bots.md', 'utf8')) ?? [];
  return Array.from(shown.matchAll(/^[\w ]*> (.+)$/gm), ([, line = '']) => line);
}

test('a newcomer has the first alert of their own within four taps after /start, from the tape, as docs/bots.md shows', async () => {
  const config = await startService();
  const { type, text } = await openChat(config);

  const [start, ...taps] = await typedInDocs();
  expect([start, taps.length >= 1, taps.length <= 4]).toEqual(['/start', true, true]);
  for (const line of ['/start', ...taps]) type(line);
  await expect.poll(text).toContain('You follow politics');
  await expect.poll(text).toMatch(/\n\d+ · [^\n]* to win \$[\d,]+\n/);

  const [alert = ''] = /\n\d+ · [^\n]* to win \$[\d,]+\n[\s\S]*/.exec(text()) ?? [];
  expect(alert).toMatch(
    /\nYour follow: politics\n\n {2}6 {2}Why\n {2}7 {2}Polymarket .*\n {2}8 {2}Follow (?:wallet|market)\n {2}9 {2}Mute market\n/,
  );
  // It is not shown early: the same person may ask for it.
  type('Why');
  await expect.poll(text).toMatch(/> Why\n\nAlert \d+\n/);
  expect(text()).not.toContain('no service runs');
});
