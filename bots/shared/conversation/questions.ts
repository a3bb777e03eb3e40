import type { Visitor } from '../../../src/core/accounts/customers/customer.ts';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import type { Move } from '../conversation.ts';
import { plainScreen, type Screen } from '../screen.ts';
import { HELP_BUTTON, MENU_BUTTONS } from './buttons.ts';
import { type ConversationDeps, chatCommand, type Feature } from './feature.ts';

const OPEN_MS = 10 * MINUTE_MS;

/** Questions that people were asked; stored, so that an answer after a restart is understood. */
export class Questions {
  readonly #deps: ConversationDeps;

  constructor(deps: ConversationDeps) {
    this.#deps = deps;
  }

  /**
   * The action that the person was asked for; null without an open question. Anything but text closes the question; text does so
   * in `follow`, so that an answer that could not be handled can be sent again. Other content changes nothing.
   */
  async take(person: Visitor, move: Move): Promise<string | null> {
    if (move.kind === 'content') return null;
    const { questions, clock } = this.#deps;
    const asked = await questions.get(person);
    if (asked === null) return null;
    if (move.kind !== 'text') await questions.remove(person);
    return asked.expiresAt > clock.now() ? asked.action : null;
  }

  async follow({ platform, userId }: Visitor, { ask }: Screen, asked: string | null): Promise<void> {
    const { questions, clock } = this.#deps;
    if (ask !== null)
      await questions.put({ platform, userId, action: ask.action, expiresAt: clock.now() + OPEN_MS });
    else if (asked !== null) await questions.remove({ platform, userId });
  }
}

const WAYS_ON = [[MENU_BUTTONS, HELP_BUTTON]];

/** Ends an open question. The argument is the question that was open, if there was one. */
export function cancel(): Feature {
  return {
    commands: [chatCommand('cancel', 'End the question that I asked you')],
    steps: {
      cancel: ({ argument }) =>
        argument === ''
          ? plainScreen(
              'nothing_to_cancel',
              ['There is nothing to cancel: I am not waiting for an answer.'],
              WAYS_ON,
            )
          : plainScreen('cancelled', ['Cancelled. Nothing was changed.'], WAYS_ON),
    },
  };
}

/** The step for photos, stickers, voice messages and other content without text. */
export const CONTENT_STEP = 'content';

/** The answer to content that the bot cannot read. The renderers limit it to one per person and minute. */
export function textOnly(): Feature {
  return {
    steps: {
      [CONTENT_STEP]: () =>
        plainScreen(
          'text_only',
          ['Thank you, but I read only text and buttons. /help lists what I can do.'],
          WAYS_ON,
        ),
    },
  };
}
