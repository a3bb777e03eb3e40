import type { Screen } from '../../../bots/shared/screen.ts';
import { actionOf, type ConversationVisit } from '../../support/chat/conversation-visit.ts';

export const FREE = 'Free key';
export const PRO = 'Pro key, 30 days free';

export async function getKey(
  visit: ConversationVisit,
  label = FREE,
): Promise<{ keyId: string; screen: Screen }> {
  const screen = await visit.act(actionOf(await visit.command('key'), label));
  return { keyId: screen.secret?.keyId ?? '', screen };
}
