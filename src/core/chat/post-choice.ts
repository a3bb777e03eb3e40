import { DAY_MS, type EpochMs } from '../base/time/duration.ts';
import type { Channel, ChatMessage, PostMessage } from './chat-message.ts';
import type { ChatStore } from './chat-store.ts';
import { isInFlight, newestOf, standingPost, untilWithdrawn } from './thread-post.ts';

/** Alerts of this score are posted beyond the number of a day, up to twice that number. */
const ALWAYS_SCORE = 80;
const PAGE_SIZE = 100;

/** Dependencies of the functions below. */
export interface PostChoiceDeps {
  readonly store: Pick<
    ChatStore,
    'undecided' | 'countPosts' | 'countThreadsAbove' | 'postsOfThread' | 'folded'
  >;
  readonly channel: Channel;
  /** Posts of a channel in 24 hours. */
  readonly postsPerDay: number;
}

/**
 * Whether an alert is posted; otherwise the digest lists it. The last 24 hours count from the moment from which the alert
 * may be shown, and earlier alerts are decided first (`undecidedBefore`), so that the choice is the same however late and
 * often it is made:
 *
 * - score 80 or more: posted while there were fewer than `2 * postsPerDay` posts;
 * - else posted while there were fewer than `postsPerDay` posts, and as many threads with a score as high.
 */
export async function isChosen(
  { store, channel, postsPerDay }: PostChoiceDeps,
  { createdAt, facts: { score, threadId } }: PostMessage,
): Promise<boolean> {
  const after = createdAt - DAY_MS;
  const posts = await store.countPosts(channel, after);
  if (score >= ALWAYS_SCORE) return posts < 2 * postsPerDay;
  if (posts >= postsPerDay) return false;
  return (await store.countThreadsAbove({ channel, after, score, threadId })) < postsPerDay;
}

/** The first post that must be decided before this one; not one whose thread's post is being sent. */
export async function undecidedBefore(
  { store, channel }: PostChoiceDeps,
  { createdAt, facts: { alertId } }: PostMessage,
): Promise<PostMessage | undefined> {
  for (const post of await store.undecided({ channel, until: createdAt, limit: PAGE_SIZE })) {
    if (post.createdAt === createdAt && post.facts.alertId >= alertId) return undefined;
    const thread = await store.postsOfThread({ channel, threadId: post.facts.threadId });
    if (!thread.some(isInFlight)) return post;
  }
  return undefined;
}

/** Most alerts that are looked at for a digest. */
const FOLDED_MAX = 5_000;
/** Most threads whose alerts are named: more than fit into a message. */
const NAMED_MAX = 100;

type DigestMessage = ChatMessage & { readonly kind: 'daily_digest' };

/** The digest with the threads that the channel got no post of that day, and has none now, the highest score first. */
export async function withUnposted(
  { store, channel }: PostChoiceDeps,
  message: DigestMessage,
  now: EpochMs,
): Promise<DigestMessage> {
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
