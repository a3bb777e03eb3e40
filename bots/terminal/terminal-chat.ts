import type { Visitor } from '../../src/core/customers/customer.ts';
import type { Conversation, Move } from '../shared/conversation.ts';
import { plainScreen } from '../shared/plain-screen.ts';
import type { Screen } from '../shared/screen.ts';
import type { Console } from './console.ts';
import { type Style, screenText } from './screen-text.ts';
import { typedMove } from './typed-move.ts';

/** Dependencies of the terminal chat. */
export interface TerminalChatDeps {
  readonly conversation: Conversation;
  readonly visitor: Visitor;
  readonly console: Console;
  readonly style: Style;
  /** Columns; null wraps nothing. */
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
    else if (typed !== null) await make(typed);
    await console.prompt(promptOf(screen));
  }
  await console.write('\n');
}

function promptOf({ ask }: Pick<Screen, 'ask'>): string {
  return ask === null ? '> ' : `${ask.label}> `;
}
