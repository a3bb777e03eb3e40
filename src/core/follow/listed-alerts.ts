import type { EpochMs } from '../base/time/duration.ts';
import type { ChatMessage, ListedAlerts, PersonalAlertMessage } from '../chat/chat-message.ts';
import type { ChatStore } from '../chat/chat-store.ts';
import { WEEK_MS } from './list-times.ts';

/** Most threads whose alerts are named: more than fit into a message. */
const NAMED_MAX = 100;

/**
 * The content of a list: what was held back, or may have been sent, since the previous list, within a week at most. `newestAt`:
 * when the newest of it was created; 0 for nothing.
 */
export async function listedIn(
  chat: Pick<ChatStore, 'lastList' | 'unlisted'>,
  { recipient, createdAt }: Pick<ChatMessage, 'recipient' | 'createdAt'>,
): Promise<ListedAlerts & { readonly newestAt: EpochMs }> {
  const last = await chat.lastList(recipient, createdAt);
  const after = Math.max(last?.createdAt ?? 0, createdAt - WEEK_MS);
  const found = await chat.unlisted({ recipient, after, until: createdAt });
  // Ordered by their best alert.
  const threads = [...Map.groupBy(found, ({ facts }) => facts.threadId).values()];
  return {
    alerts: threads.slice(0, NAMED_MAX).map((thread) => {
      const { facts, state } = thread.reduce(newer);
      return { alertId: facts.alertId, isUnsure: state === 'unknown' };
    }),
    more: Math.max(0, threads.length - NAMED_MAX),
    newestAt: found.reduce((newest, { createdAt: at }) => Math.max(newest, at), 0),
  };
}

function newer(one: PersonalAlertMessage, other: PersonalAlertMessage): PersonalAlertMessage {
  return other.facts.alertId > one.facts.alertId ? other : one;
}
