import type { AlertStore } from '../alerts/alert-store.ts';
import type { Clock } from '../clock.ts';
import type { NewChatMessage } from './chat-message.ts';
import type { ChatStore } from './chat-store.ts';
import { CHAT_KEPT_MS } from './retention.ts';
import { postEdit } from './thread-post.ts';
import { postsShowing } from './withdraw.ts';

const PAGE_SIZE = 500;

/** Dependencies of `redrawPosts`. */
export interface RedrawDeps {
  readonly store: Pick<ChatStore, 'add' | 'postsOf' | 'postsOfThread'>;
  readonly alerts: Pick<AlertStore, 'search'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Which posts are redrawn, and for which statement of an operator about a wallet. */
export interface Redraw {
  readonly wallet: string;
  /** Number of the statement. Idempotent: the same number adds no second edit of a post. */
  readonly occasion: number;
}

/**
 * Queues edits of the posts that show alerts of a wallet, whose visibility has changed. Pending posts need none: they are
 * drawn when they are sent. Returns the number of new edits.
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
        // A post in `sending` may have been drawn before the change: its edit waits for it.
        if (post.state !== 'sent' && post.state !== 'sending') continue;
        const edit = postEdit(post, { cause: 'redraw', number: occasion }, now);
        if (edit !== null) edits.set(edit.id, edit);
      }
    }
    if (found.alerts.length < PAGE_SIZE) break;
  }
  return (await store.add([...edits.values()])).length;
}
