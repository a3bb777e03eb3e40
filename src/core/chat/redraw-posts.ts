import type { AlertStore } from '../alerts/alert-store.ts';
import type { Clock } from '../base/time/clock.ts';
import type { NewChatMessage, PostMessage } from './chat-message.ts';
import type { ChatStore } from './chat-store.ts';
import { CHAT_KEPT_MS } from './retention.ts';
import { postEdit } from './thread-post.ts';
import { othersOf, postsShowing } from './withdraw.ts';

const PAGE_SIZE = 500;

/** Dependencies of `redrawPosts`. */
export interface RedrawDeps {
  readonly store: Pick<ChatStore, 'add' | 'postsOf' | 'postsOfThread' | 'editsOf'>;
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
 * Queues edits of the posts that show alerts of a wallet, whose visibility has changed, and of the answers to posts that could
 * not be edited. Pending posts need none: they are drawn when they are sent. Returns the number of new edits.
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
        const cause = { cause: 'redraw', number: occasion } as const;
        const edit = postEdit(post, cause, now);
        if (edit === null) continue;
        // A post in `sending` may have been drawn before the change: its edit waits for it.
        if (post.state === 'sent' || post.state === 'sending') edits.set(edit.id, edit);
        for (const place of await answersTo(store, post)) {
          const ofAnswer = postEdit(post, { ...cause, answer: place }, now);
          if (ofAnswer !== null) edits.set(ofAnswer.id, ofAnswer);
        }
      }
    }
    if (found.alerts.length < PAGE_SIZE) break;
  }
  return (await store.add([...edits.values()])).length;
}

/** The places of the answers that were sent because a post could not be edited. */
async function answersTo(store: RedrawDeps['store'], post: PostMessage): Promise<ReadonlySet<string>> {
  const others = await othersOf(store, post);
  const answers = others.filter(({ kind, state }) => kind !== 'alert' && state === 'sent');
  return new Set(answers.flatMap(({ place }) => place ?? []));
}
