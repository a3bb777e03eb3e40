import { PassThrough } from 'node:stream';
import type { Membership } from '../../../bots/shared/chat-bot.ts';
import { openConsole, runTerminalChat } from '../../../bots/terminal/terminal-chat.ts';
import type { Visitor } from '../../../src/core/accounts/customers/customer.ts';
import type { ChatPerson, OpenDriver, SeenScreen } from './driver.ts';

/** Each person sits at a terminal of their own, whose keys and letters go through streams. */
export const openTerminalDriver: OpenDriver = async (makeConversation) => {
  const memberships = new Map<string, Membership>();
  const conversation = makeConversation({
    membershipOf: async ({ userId }) => memberships.get(userId) ?? 'member',
    joinAddress: async () => 'https://community.example/join',
  });
  const running: { end(): void; done: Promise<void> }[] = [];

  async function person(name: string): Promise<ChatPerson> {
    const [keyboard, paper] = [new PassThrough(), new PassThrough()];
    const visitor: Visitor = { platform: 'terminal', userId: name, name, chat: name };
    const console = openConsole({ input: keyboard, output: paper });
    const sheet = readSheet(paper);
    const done = runTerminalChat({
      conversation,
      visitor,
      console,
      style: (_style, text) => text,
      width: null,
    });
    running.push({ end: () => keyboard.end(), done });
    await sheet.next();

    async function enter(line: string): Promise<SeenScreen> {
      keyboard.write(`${line}\n`);
      const [, ...answer] = (await sheet.next()).split('\n');
      return seenScreen(answer);
    }
    return {
      command: (command, argument = '') => enter(`/${command} ${argument}`.trim()),
      tap: enter,
      type: enter,
      setMembership: (membership) => {
        memberships.set(name, membership === 'error' ? 'unknown' : membership);
      },
    };
  }

  return {
    platform: 'terminal',
    person,
    async close() {
      for (const { end } of running) end();
      await Promise.all(running.map(({ done }) => done));
    },
  };
};

/** What was written up to the next prompt. */
function readSheet(paper: PassThrough): { next(): Promise<string> } {
  let written = '';
  let tell = () => {};
  paper.setEncoding('utf8').on('data', (text: string) => {
    written += text;
    if (/(^|\n)[\w ]*> $/.test(written)) tell();
  });
  return {
    next: () =>
      new Promise((resolve) => {
        tell = () => {
          tell = () => {};
          resolve(written);
          written = '';
        };
        if (written.endsWith('> ')) tell();
      }),
  };
}

const BUTTON = /^ {2}\d+ {2}(.*?)( {2}https?:\S+)?$/;

function seenScreen(lines: readonly string[]): SeenScreen {
  const first = lines.findIndex((line) => BUTTON.test(line));
  const buttons = lines.flatMap((line) => BUTTON.exec(line)?.[1] ?? []);
  return { text: lines.slice(0, first).join('\n').trim(), buttons };
}
