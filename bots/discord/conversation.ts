import type { Visitor } from '../../src/core/customers/customer.ts';
import { createOneAtATime } from '../../src/core/one-at-a-time.ts';
import type { Actor, AdminConsole } from '../shared/admin-console.ts';
import type { Desk, Move } from '../shared/desk.ts';
import type { Screen } from '../shared/screen.ts';
import { ADMIN_COMMAND } from './slash-commands.ts';

/** Whom a move is for: commands have their own, what is tapped or written belongs to whoever knows it. */
export type Addressee = 'console' | 'desk' | 'either';

export interface Said {
  readonly visitor: Visitor;
  readonly actor: Actor;
  readonly for: Addressee;
  readonly move: Move;
}

/** The desk, and in front of it the operator's console. One move of a person at a time. */
export interface Conversation {
  /** `show` gives the screen to the person, before their next move is looked at. */
  answer(said: Said, show: (screen: Screen) => Promise<void>): Promise<void>;
}

export function createConversation({
  desk,
  admin,
}: {
  readonly desk: Desk;
  readonly admin: AdminConsole | null;
}): Conversation {
  const oneAtATime = createOneAtATime();

  async function screenFor({ visitor, actor, for: addressee, move }: Said): Promise<Screen> {
    if (addressee === 'desk') return desk.move(visitor, move);
    const screen = admin === null ? null : await admin.move(actor, move);
    if (screen !== null) return screen;
    if (addressee === 'either') return desk.move(visitor, move);
    // What the desk says to a command that it does not have is what a stranger gets.
    return desk.move(visitor, { kind: 'command', name: ADMIN_COMMAND, argument: '' });
  }

  return {
    answer: (said, show) =>
      oneAtATime(said.actor.userId, async () => {
        const screen = await screenFor(said);
        await show(screen);
        if (screen.secret !== null) await desk.shown(screen);
      }),
  };
}
