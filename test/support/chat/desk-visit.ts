import { onTestFinished } from 'vitest';
import type { Community } from '../../../bots/shared/community.ts';
import type { Desk } from '../../../bots/shared/desk.ts';
import type { Screen } from '../../../bots/shared/screen.ts';
import type { Visitor } from '../../../src/core/customers/customer.ts';
import { type ChatWorld, openChatWorld } from './chat-world.ts';

/** Somebody at the desk, without any platform between. Every move is one whose message arrived. */
export interface DeskVisit {
  readonly world: ChatWorld;
  readonly desk: Desk;
  readonly visitor: Visitor;
  command(name: string, argument?: string): Promise<Screen>;
  act(action: string): Promise<Screen>;
  type(text: string): Promise<Screen>;
  /** Somebody else at the same desk. */
  other(userId: string): DeskVisit;
}

export async function openDeskVisit(community?: Community): Promise<DeskVisit> {
  const world = await openChatWorld();
  onTestFinished(world.close);
  return visitOf(world, world.makeDesk('telegram', community), '100');
}

function visitOf(world: ChatWorld, desk: Desk, userId: string): DeskVisit {
  const visitor: Visitor = { platform: 'telegram', userId, name: `person${userId}`, chat: userId };
  async function move(made: Parameters<Desk['move']>[1]): Promise<Screen> {
    const screen = await desk.move(visitor, made);
    await desk.shown(screen);
    return screen;
  }
  return {
    world,
    desk,
    visitor,
    command: (name, argument = '') => move({ kind: 'command', name, argument }),
    act: (action) => move({ kind: 'tap', action }),
    type: (text) => move({ kind: 'text', text }),
    other: (id) => visitOf(world, desk, id),
  };
}

/** The action of a screen's button. */
export function actionOf({ name, buttons }: Screen, label: string): string {
  const button = buttons.flat().find((one) => one.label === label);
  if (button === undefined || !('action' in button)) throw new Error(`no button "${label}" on ${name}`);
  return button.action;
}
