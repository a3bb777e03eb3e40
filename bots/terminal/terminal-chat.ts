import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Visitor } from '../../src/core/accounts/customers/customer.ts';
import { cutText } from '../../src/core/base/text/formats.ts';
import type { Messenger, SendResult } from '../../src/core/chat/messenger.ts';
import type { Conversation, Move } from '../shared/conversation.ts';
import { type Button, plainScreen, type Screen, spanText } from '../shared/screen.ts';
import { type Style, screenText, wrapped } from './screen-text.ts';

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
/** Begins a reference to a message; a message of another platform is not quoted. */
const REFERENCE = 'terminal:';
const QUOTE_LENGTH = 200;
/** What is printed stays as it is. */
const PRINTED = { ok: false, reason: 'gone', detail: 'printed text cannot be changed' } as const;

/** The chat of one person on a terminal. */
export class TerminalChat {
  readonly #deps: TerminalChatDeps;
  #screen = plainScreen('nothing', [], []);
  /** Buttons of the messages since the screen; their numbers follow those of the screen, which stay what they are. */
  #later: readonly Button[] = [];
  #isPrompting = false;
  #work: Promise<unknown> = Promise.resolve();

  constructor(deps: TerminalChatDeps) {
    this.#deps = deps;
  }

  /** Runs until the input ends. Greets a person, not a script. */
  async run(): Promise<void> {
    const { console } = this.#deps;
    await this.#alone(async () => {
      if (console.isInteractive) await this.#make(START);
      await this.#prompt();
    });
    for await (const line of console.lines)
      await this.#alone(async () => {
        this.#isPrompting = false;
        await this.#answer(line);
        await this.#prompt();
      });
    await this.#alone(() => console.write('\n'));
    this.#isPrompting = false;
  }

  /** Shows messages above the prompt. The reference to one is its first line, which an answer to it quotes. */
  readonly messenger: Messenger<Screen> = {
    send: (_, screen) => this.#show(screen),
    reply: (place, screen) =>
      this.#show(screen, place.startsWith(REFERENCE) ? place.slice(REFERENCE.length) : undefined),
    edit: async () => PRINTED,
    remove: async () => PRINTED,
  };

  /** Shows a remark above the prompt. */
  readonly notify = (text: string): Promise<void> =>
    this.#alone(() => this.#above(`\n${this.#remark(text)}\n\n`));

  async #show(screen: Screen, quoted?: string): Promise<SendResult> {
    await this.#alone(async () => {
      const quote = quoted === undefined ? '' : `\n${this.#remark(`│ ${quoted}`)}`;
      await this.#above(quote + screenText(screen, this.#deps, this.#buttons().length + 1));
      this.#later = [...this.#later, ...screen.buttons.flat()];
    });
    return { ok: true, place: REFERENCE + cutText(firstLine(screen), QUOTE_LENGTH) };
  }

  /** One thing after the other: no message comes between a move and its answer. The caller gets a failure. */
  #alone(work: () => Promise<void>): Promise<void> {
    const done = this.#work.then(work);
    this.#work = done.catch(() => {});
    return done;
  }

  async #above(text: string): Promise<void> {
    const { console } = this.#deps;
    if (!this.#isPrompting) return console.write(text);
    await console.write(console.clearedPrompt() + text);
    await this.#prompt();
  }

  async #prompt(): Promise<void> {
    this.#isPrompting = true;
    await this.#deps.console.prompt(promptOf(this.#screen));
  }

  async #answer(line: string): Promise<void> {
    const { console } = this.#deps;
    const typed = typedMove(line, { buttons: this.#buttons(), ask: this.#screen.ask });
    if (typed?.kind === 'open') await console.write(`\nOpen ${typed.url} in your browser.\n\n`);
    else if (typed?.kind === 'no_button') await console.write(`\n${numbersWords(typed.buttons)}\n\n`);
    else if (typed !== null) await this.#make(typed);
  }

  async #make(move: Move): Promise<void> {
    const { conversation, visitor, console } = this.#deps;
    const before = this.#screen;
    this.#screen = await conversation.move(visitor, move);
    this.#later = [];
    // A tap replaces the message it is under; of the others only a key must not stay.
    const replaces = console.isInteractive && before.secret !== null && isTapUnder(before, move);
    await console.write((replaces ? CLEAR : '') + screenText(this.#screen, this.#deps));
    await conversation.shown(this.#screen);
  }

  #buttons(): readonly Button[] {
    return [...this.#screen.buttons.flat(), ...this.#later];
  }

  #remark(text: string): string {
    const { style, width } = this.#deps;
    return style('gray', width === null ? text : wrapped(text, width));
  }
}

function isTapUnder({ buttons }: Screen, move: Move): boolean {
  return (
    move.kind === 'tap' &&
    buttons.flat().some((button) => 'action' in button && button.action === move.action)
  );
}

/** Addresses of links are left out. */
function firstLine({ body: [first = []] }: Screen): string {
  return first.map(spanText).join('').split('\n')[0] ?? '';
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
function typedMove(
  line: string,
  { buttons, ask }: { readonly buttons: readonly Button[]; readonly ask: Screen['ask'] },
): Typed {
  const text = line.trim();
  if (text === '') return null;
  if (text.startsWith('/')) {
    const [name = '', ...argument] = text.slice(1).split(/\s+/);
    return { kind: 'command', name: name.toLowerCase(), argument: argument.join(' ') };
  }
  const isNumber = /^\d+$/.test(text);
  const button = isNumber
    ? buttons[Number(text) - 1]
    : buttons.findLast(({ label }) => label.toLowerCase() === text.toLowerCase());
  // An answer to a question may be a number.
  if (button === undefined && isNumber && ask === null && buttons.length > 0)
    return { kind: 'no_button', buttons: buttons.length };
  if (button === undefined) return { kind: 'text', text };
  return 'url' in button ? { kind: 'open', url: button.url } : { kind: 'tap', action: button.action };
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
    /** What takes the prompt, and what was typed so far, off the terminal; a script's stays. */
    clearedPrompt(): string {
      if (!isInteractive) return '\n';
      const { rows } = reader.getCursorPos();
      return `${rows === 0 ? '' : `\x1b[${rows}A`}\r\x1b[J`;
    },
    /** Shows the prompt, with what was typed so far. */
    async prompt(text: string): Promise<void> {
      if (!isInteractive) return write(text);
      if (isOver) return;
      reader.setPrompt(text);
      reader.prompt(true);
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
