import type { Visitor } from '../../src/core/accounts/customers/customer.ts';
import { FairQueue } from '../../src/core/base/async/fair-queue.ts';
import {
  type Actor,
  ADMIN_COMMAND,
  type AdminConsole,
  type Conversation,
  type Move,
  withOperatorNote,
} from './conversation.ts';
import type { Screen } from './screen.ts';

export interface ReceivedMove {
  readonly visitor: Visitor;
  readonly roleIds: readonly string[];
  /** Who handles it; `either`: the console first. */
  readonly for: 'console' | 'conversation' | 'either';
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
      const { userId, platform, name } = received.visitor;
      const actor = { platform, userId, name, roleIds: received.roleIds };
      const isForAll = received.for === 'conversation';
      const answer = isForAll ? null : await this.#console?.move(actor, received.move);
      if (answer) return show(answer);
      const screen = await this.#talk(received, actor);
      await show(screen);
      if (screen.secret !== null) await this.#conversation.shown(screen);
    };
    return this.#queue.run(task, { caller: received.visitor.userId });
  }

  async #talk({ visitor, for: target, move }: ReceivedMove, actor: Actor): Promise<Screen> {
    // Someone who is not an operator gets the answer to an unknown command.
    if (target === 'console')
      return this.#conversation.move(visitor, { kind: 'command', name: ADMIN_COMMAND, argument: '' });
    const screen = await this.#conversation.move(visitor, move);
    return this.#console?.isOperator(actor) === true ? withOperatorNote(screen) : screen;
  }
}
