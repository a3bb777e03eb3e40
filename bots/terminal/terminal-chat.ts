import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Visitor } from '../../src/core/accounts/customers/customer.ts';
import type { Community } from '../shared/chat-bot.ts';
import type { Conversation, Move } from '../shared/conversation.ts';
import { plainScreen, type Screen } from '../shared/screen.ts';
import { type Style, screenText } from './screen-text.ts';

interface TerminalChatDeps {
  readonly conversation: Conversation;
  readonly visitor: Visitor;
  readonly console: Console;
  readonly style: Style;
  readonly width: number | null;
}

const START: Move = { kind: 'command', name: 'start', argument: '' };
/** Home, and nothing left to scroll back to. */
const CLEAR = '\x1b[H\x1b[2J\x1b[3J';

/** Runs until the input ends. Greets a person, not a script. */
export async function runTerminalChat({
  conversation,
  visitor,
  console,
  style,
  width,
}: TerminalChatDeps): Promise<void> {
  let screen = plainScreen('nothing', [], []);

  async function make(move: Move): Promise<void> {
    const before = screen;
    screen = await conversation.move(visitor, move);
    // A tap replaces the message it is under; of the others only a key must not stay.
    const replaces = console.isInteractive && before.secret !== null && move.kind === 'tap';
    await console.write((replaces ? CLEAR : '') + screenText(screen, { style, width }));
    await conversation.shown(screen);
  }

  if (console.isInteractive) await make(START);
  await console.prompt(promptOf(screen));
  for await (const line of console.lines) {
    const typed = typedMove(line, screen);
    if (typed?.kind === 'open') await console.write(`\nOpen ${typed.url} in your browser.\n\n`);
    else if (typed?.kind === 'no_button') await console.write(`\n${numbersWords(typed.buttons)}\n\n`);
    else if (typed !== null) await make(typed);
    await console.prompt(promptOf(screen));
  }
  await console.write('\n');
}

function promptOf({ ask }: Pick<Screen, 'ask'>): string {
  return ask === null ? '> ' : `${ask.label}> `;
}

type Typed =
  | Move
  | { readonly kind: 'open'; readonly url: string }
  | { readonly kind: 'no_button'; readonly buttons: number }
  | null;

function numbersWords(buttons: number): string {
  return `No button has that number: type ${buttons === 1 ? '1' : `1 to ${buttons}`}, or /help.`;
}

/** What a line means under a screen: a `/command`, a button by its number or label, or text. */
function typedMove(line: string, { buttons, ask }: Pick<Screen, 'buttons' | 'ask'>): Typed {
  const text = line.trim();
  if (text === '') return null;
  if (text.startsWith('/')) {
    const [name = '', ...argument] = text.slice(1).split(/\s+/);
    return { kind: 'command', name: name.toLowerCase(), argument: argument.join(' ') };
  }
  const all = buttons.flat();
  const isNumber = /^\d+$/.test(text);
  const button = isNumber
    ? all[Number(text) - 1]
    : all.find(({ label }) => label.toLowerCase() === text.toLowerCase());
  // An answer to a question may be a number.
  if (button === undefined && isNumber && ask === null && all.length > 0)
    return { kind: 'no_button', buttons: all.length };
  if (button === undefined) return { kind: 'text', text };
  return 'url' in button ? { kind: 'open', url: button.url } : { kind: 'tap', action: button.action };
}

export function pretendedCommunity(address: string): Community {
  const asked = new Set<string>();
  return {
    async membershipOf({ userId }) {
      const isKnown = asked.has(userId);
      asked.add(userId);
      return isKnown ? 'member' : 'not_member';
    },
    joinAddress: async () => address,
  };
}

export type Console = ReturnType<typeof openConsole>;

/** A pseudo terminal when both are one; else the lines of a script, repeated in the output as if they were typed. */
export function openConsole({ input, output }: { input: Readable; output: Writable }) {
  const isInteractive = [input, output].every((stream) => 'isTTY' in stream && stream.isTTY === true);
  const reader = createInterface(isInteractive ? { input, output, terminal: true } : { input });
  let isOver = false;
  reader
    .on('SIGINT', () => reader.close())
    .on('close', () => {
      isOver = true;
    });
  // From here on: a line that comes before anybody listens is gone.
  const typed = reader[Symbol.asyncIterator]();
  const write = (text: string) =>
    new Promise<void>((resolve, reject) => {
      output.write(text, (error) => (error ? reject(error) : resolve()));
    });
  const lines: AsyncIterable<string> = isInteractive ? typed : repeated(typed, write);
  return {
    isInteractive,
    lines,
    write,
    async prompt(text: string): Promise<void> {
      if (!isInteractive) return write(text);
      if (isOver) return;
      reader.setPrompt(text);
      reader.prompt();
    },
    close: () => reader.close(),
  };
}

async function* repeated(
  lines: AsyncIterable<string>,
  write: (text: string) => Promise<void>,
): AsyncGenerator<string> {
  for await (const line of lines) {
    await write(`${line}\n`);
    yield line;
  }
}
