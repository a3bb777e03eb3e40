import type { Screen } from '../../../bots/shared/screen.ts';
import { actionOf, type ConversationVisit } from '../../support/chat/conversation-visit.ts';

export const FREE = 'Free key';
export const PRO = 'Pro key, 30 days free';

/** Taps for a key; its id is empty when the screen has none. */
export async function getKey(
  visit: Pick<ConversationVisit, 'act' | 'command'>,
  label = FREE,
): Promise<{ keyId: string; screen: Screen }> {
  const screen = await visit.act(actionOf(await visit.command('key'), label));
  return { keyId: screen.secret?.keyId ?? '', screen };
}
