import { onTestFinished } from 'vitest';
import type { Community } from '../../../bots/shared/chat-bot.ts';
import type { Conversation } from '../../../bots/shared/conversation.ts';
import type { Screen } from '../../../bots/shared/screen.ts';
import type { Visitor } from '../../../src/core/accounts/customers/customer.ts';
import { type ConversationFixture, openConversationFixture } from './conversation-fixture.ts';

/** A user of the conversation, without a platform between. The message of every move arrives. */
export interface ConversationVisit {
  readonly fixture: ConversationFixture;
  readonly conversation: Conversation;
  readonly visitor: Visitor;
  command(name: string, argument?: string): Promise<Screen>;
  act(action: string): Promise<Screen>;
  type(text: string): Promise<Screen>;
  other(userId: string): ConversationVisit;
}

export async function openConversationVisit(
  community?: Community,
  freeDelayMs?: number,
): Promise<ConversationVisit> {
  const fixture = await openConversationFixture(freeDelayMs);
  onTestFinished(fixture.close);
  return visitOf(fixture, fixture.makeConversation('telegram', community), '100');
}

function visitOf(
  fixture: ConversationFixture,
  conversation: Conversation,
  userId: string,
): ConversationVisit {
  const visitor: Visitor = { platform: 'telegram', userId, name: `person${userId}`, chat: userId };
  async function move(made: Parameters<Conversation['move']>[1]): Promise<Screen> {
    const screen = await conversation.move(visitor, made);
    await conversation.shown(screen);
    return screen;
  }
  return {
    fixture,
    conversation,
    visitor,
    command: (name, argument = '') => move({ kind: 'command', name, argument }),
    act: (action) => move({ kind: 'tap', action }),
    type: (text) => move({ kind: 'text', text }),
    other: (id) => visitOf(fixture, conversation, id),
  };
}

export function actionOf({ name, buttons }: Screen, label: string): string {
  const button = buttons.flat().find((one) => one.label === label);
  if (button === undefined || !('action' in button)) throw new Error(`no button "${label}" on ${name}`);
  return button.action;
}

/** Every screen that taps lead to from the commands; three of the taps request a key. */
export async function everyScreen(visit: ConversationVisit): Promise<readonly Screen[]> {
  const screens: Screen[] = [];
  for (const { name } of visit.conversation.commands) screens.push(await visit.command(name));
  const seen = new Set<string>();
  for (const screen of screens) {
    for (const button of screen.buttons.flat()) {
      if (!('action' in button) || button.action.startsWith('delete_yes')) continue;
      const kind = button.action.replace(/[\w-]{12}$/, '');
      if (!seen.has(kind)) screens.push(await visit.act(button.action));
      seen.add(kind);
    }
  }
  return screens;
}
