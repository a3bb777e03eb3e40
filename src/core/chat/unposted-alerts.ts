import type { Clock } from '../base/time/clock.ts';
import { DAY_MS } from '../base/time/duration.ts';
import type { Channel, ChatMessage } from './chat-message.ts';
import type { ChatStore } from './chat-store.ts';
import { newestOf, standingPost, untilWithdrawn } from './thread-post.ts';

/** Most alerts that are looked at for a digest. */
const FOLDED_MAX = 5_000;
/** Most threads whose alerts are named: more than fit into a message. */
const NAMED_MAX = 100;

type DigestMessage = ChatMessage & { readonly kind: 'daily_digest' };

/** Dependencies of `withUnposted`. */
export interface UnpostedDeps {
  readonly store: Pick<ChatStore, 'folded' | 'postsOfThread'>;
  readonly channel: Channel;
  readonly clock: Pick<Clock, 'now'>;
}

/** The digest with the threads that the channel got no post of that day, and has none now, the highest score first. */
export async function withUnposted(
  message: DigestMessage,
  { store, channel, clock }: UnpostedDeps,
): Promise<DigestMessage> {
  const now = clock.now();
  const from = Date.parse(message.facts.day);
  const folded = await store.folded({ channel, from, until: from + DAY_MS, limit: FOLDED_MAX });
  const threadIds = [...new Set(folded.map(({ threadId }) => threadId))];
  const alertIds: number[] = [];
  for (const threadId of threadIds.slice(0, NAMED_MAX)) {
    const all = await store.postsOfThread({ channel, threadId });
    const thread = untilWithdrawn(all);
    const newest = newestOf(thread, now);
    if (thread.length === all.length && standingPost(thread) === undefined && newest !== undefined)
      alertIds.push(newest.facts.alertId);
  }
  const more = Math.max(0, threadIds.length - NAMED_MAX);
  return { ...message, facts: { ...message.facts, unposted: { alertIds, more } } };
}
