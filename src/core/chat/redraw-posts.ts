import type { AlertStore } from '../alerts/alert-store.ts';
import type { Clock } from '../clock.ts';
import { CHANNELS, type NewChatMessage, type PostMessage } from './chat-message.ts';
import type { ChatStore } from './chat-store.ts';
import { redrawId } from './message-ids.ts';
import { CHAT_KEPT_MS } from './retention.ts';
import { postsShowing } from './withdraw.ts';

const PAGE_SIZE = 500;

/** What drawing posts anew is made of. */
export interface RedrawDeps {
  readonly store: Pick<ChatStore, 'add' | 'postsOf' | 'postsOfThread'>;
  readonly alerts: Pick<AlertStore, 'search'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Which posts, and why: an operator's statement about a wallet. */
export interface Redraw {
  readonly wallet: string;
  /** The number of the statement. The same number adds no second edit of a post. */
  readonly occasion: number;
}

/**
 * Has the posts edited that show alerts of a wallet: what they may show of it has changed. Posts that wait are drawn when
 * they are sent. Returns how many edits are new.
 */
export async function redrawPosts(
  { store, alerts, clock }: RedrawDeps,
  { wallet, occasion }: Redraw,
): Promise<number> {
  const now = clock.now();
  const filter = { search: wallet, since: now - CHAT_KEPT_MS.posts };
  const edits = new Map<string, NewChatMessage>();
  for (let page = 1; ; page += 1) {
    const found = await alerts.search(filter, { page, pageSize: PAGE_SIZE });
    for (const { id } of found.alerts) {
      for (const post of await postsShowing(store, id)) {
        const edit = editOf(post, occasion, now);
        if (edit !== null) edits.set(edit.id, edit);
      }
    }
    if (found.alerts.length < PAGE_SIZE) break;
  }
  return (await store.add([...edits.values()])).length;
}

/** One that is being sent may have been drawn before: its edit waits for it. */
function editOf(
  { kind, state, recipient, facts: { alertId, threadId } }: PostMessage,
  occasion: number,
  now: number,
): NewChatMessage | null {
  const channel = CHANNELS.find((name) => recipient === `channel:${name}`);
  if (kind !== 'alert' || channel === undefined || (state !== 'sent' && state !== 'sending')) return null;
  return {
    id: redrawId({ alertId, occasion, channel }),
    recipient,
    kind: 'alert_result',
    facts: { alertId, threadId },
    createdAt: now,
    dueAt: now,
  };
}
