import { FairQueue } from '../../src/core/async/fair-queue.ts';
import type { Visitor } from '../../src/core/customers/customer.ts';
import type { Actor, AdminConsole } from '../shared/admin-console.ts';
import type { Conversation, Move } from '../shared/conversation.ts';
import type { Screen } from '../shared/screen.ts';
import { ADMIN_COMMAND } from './slash-commands.ts';

/** Whom a move is for: commands have their own, what is tapped or written belongs to whoever knows it. */
export type MoveTarget = 'console' | 'desk' | 'either';

export interface ReceivedMove {
  readonly visitor: Visitor;
  readonly actor: Actor;
  readonly for: MoveTarget;
  readonly move: Move;
}

/** The conversation, and in front of it the operator's console. One move of a person at a time. */
export interface MoveHandler {
  /** `show` gives the screen to the person, before their next move is looked at. */
  answer(said: ReceivedMove, show: (screen: Screen) => Promise<void>): Promise<void>;
}

export function createMoveHandler({
  conversation,
  console,
}: {
  readonly conversation: Conversation;
  readonly console: AdminConsole | null;
}): MoveHandler {
  const queue = new FairQueue({ runningPerCaller: 1 });

  async function screenFor({ visitor, actor, for: addressee, move }: ReceivedMove): Promise<Screen> {
    if (addressee === 'desk') return conversation.move(visitor, move);
    const screen = console === null ? null : await console.move(actor, move);
    if (screen !== null) return screen;
    if (addressee === 'either') return conversation.move(visitor, move);
    // What the conversation says to a command that it does not have is what a stranger gets.
    return conversation.move(visitor, { kind: 'command', name: ADMIN_COMMAND, argument: '' });
  }

  return {
    answer: (said, show) =>
      queue.run(
        async () => {
          const screen = await screenFor(said);
          await show(screen);
          if (screen.secret !== null) await conversation.shown(screen);
        },
        { caller: said.actor.userId },
      ),
  };
}
