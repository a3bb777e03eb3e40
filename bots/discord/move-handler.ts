import type { Visitor } from '../../src/core/accounts/customers/customer.ts';
import { FairQueue } from '../../src/core/base/async/fair-queue.ts';
import { type Actor, type AdminConsole, withOperatorNote } from '../shared/admin-console.ts';
import type { Conversation, Move } from '../shared/conversation.ts';
import type { Screen } from '../shared/screen.ts';
import { ADMIN_COMMAND } from './slash-commands.ts';

/** Who handles a move: slash commands name it, other moves go to the console first. */
export type MoveTarget = 'console' | 'conversation' | 'either';

export interface ReceivedMove {
  readonly visitor: Visitor;
  readonly actor: Actor;
  readonly for: MoveTarget;
  readonly move: Move;
}

/** Passes moves to the console and the conversation, one move of a person at a time. */
export class MoveHandler {
  readonly #conversation: Conversation;
  readonly #console: AdminConsole | null;
  readonly #queue = new FairQueue({ runningPerCaller: 1 });

  constructor(conversation: Conversation, console: AdminConsole | null) {
    this.#conversation = conversation;
    this.#console = console;
  }

  /** `show` gives the screen to the person, before their next move is handled. */
  answer(received: ReceivedMove, show: (screen: Screen) => Promise<void>): Promise<void> {
    const task = async () => {
      const screen = await this.#screenFor(received);
      await show(screen);
      if (screen.secret !== null) await this.#conversation.shown(screen);
    };
    return this.#queue.run(task, { caller: received.actor.userId });
  }

  async #screenFor({ visitor, actor, for: target, move }: ReceivedMove): Promise<Screen> {
    if (target === 'conversation') return this.#talk(visitor, actor, move);
    const screen = this.#console === null ? null : await this.#console.move(actor, move);
    if (screen !== null) return screen;
    if (target === 'either') return this.#talk(visitor, actor, move);
    // Someone who is not an operator gets the answer to an unknown command.
    return this.#conversation.move(visitor, { kind: 'command', name: ADMIN_COMMAND, argument: '' });
  }

  async #talk(visitor: Visitor, actor: Actor, move: Move): Promise<Screen> {
    const screen = await this.#conversation.move(visitor, move);
    return this.#console?.isOperator(actor) === true ? withOperatorNote(screen) : screen;
  }
}
