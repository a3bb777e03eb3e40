import { DAY_MS, type EpochMs, MINUTE_MS } from '../base/time/duration.ts';
import type { Channel, ChatMessage, PostMessage } from './chat-message.ts';
import type { ChatStore } from './chat-store.ts';
import { isInFlight, newestOf, standingPost, untilWithdrawn } from './thread-post.ts';

const WEEK_MS = 7 * DAY_MS;
/** The alerts of one minute are a burst. */
const BURST_MS = MINUTE_MS;
/** Part of a day's posts that is kept for the top tenth. */
const KEPT_FOR_TOP = 1 / 4;

/** Dependencies of the functions below. */
export interface PostChoiceDeps {
  readonly store: Pick<ChatStore, 'undecided' | 'decided' | 'postsOfThread' | 'foldedThreads'>;
  readonly channel: Channel;
  /** Posts of a channel in 24 hours. */
  readonly postsPerDay: number;
}

/**
 * Whether an alert is posted; otherwise the digest lists it. It is posted
 *
 * - if its score reaches the top tenth (`topTenthFrom`) of the 7 days before it, while there were fewer than `postsPerDay`
 *   posts;
 * - else while three quarters of `postsPerDay` are not taken by others like it, and fewer than `postsPerDay` threads had a
 *   score as high.
 *
 * The last 24 hours and 7 days count back from when the alert may be shown, and posts are decided in the order of
 * `undecidedBefore`. The choice is therefore the same however late or often it is made, provided that the outbox had each burst
 * before its best alert was due.
 */
export async function isChosen(
  { store, channel, postsPerDay }: PostChoiceDeps,
  { createdAt, facts: { score, threadId } }: PostMessage,
): Promise<boolean> {
  const week = await store.decided(channel, createdAt - WEEK_MS);
  const day = week.filter((other) => other.createdAt > createdAt - DAY_MS);
  const topFrom = topTenthFrom(week.map((other) => other.facts.score));
  const isTop = score >= topFrom;
  const taken = day.filter(isPosted).map((other) => ({ isTop: other.facts.score >= topFrom }));
  const others = taken.filter((other) => !other.isTop).length;
  const open = postsPerDay - Math.floor(KEPT_FOR_TOP * postsPerDay);
  if (taken.length >= postsPerDay || (!isTop && others >= open)) return false;
  const asHigh = day.filter(({ facts }) => facts.score >= score && facts.threadId !== threadId);
  return isTop || new Set(asHigh.map(({ facts }) => facts.threadId)).size < postsPerDay;
}

/** Whether a decided post is, was, or may be in the channel. */
function isPosted({ state }: PostMessage): boolean {
  return state !== 'folded' && state !== 'failed';
}

/** Fewer scores cannot show what is rare. */
const SCORES_NEEDED = 20;
/** From here on a score is very strong: about one alert in forty (docs/reading-alerts.md). */
const TOP_SCORE = 80;

/** The lowest score in the top tenth of the given scores (rounded up); 80 with fewer than 20 of them. */
export function topTenthFrom(scores: readonly number[]): number {
  if (scores.length < SCORES_NEEDED) return TOP_SCORE;
  return scores.toSorted((a, b) => b - a)[Math.ceil(scores.length / 10) - 1] ?? TOP_SCORE;
}

/**
 * The post that must be decided before this one: in the oldest burst, the one with the highest score, even if it is not due yet.
 * The alerts of a thread keep their order, and each counts with the highest score among itself and its successors, since the
 * first becomes the post and the others edit it. Threads whose post is being sent are left out. Undefined when this post is next.
 */
export async function undecidedBefore(
  { store, channel }: PostChoiceDeps,
  message: PostMessage,
): Promise<PostMessage | undefined> {
  const until = (burstOf(message) + 1) * BURST_MS - 1;
  const found = await store.undecided(channel, until);
  for (const post of inOrderOfChoice(found)) {
    if (post.id === message.id) return undefined;
    const thread = await store.postsOfThread({ channel, threadId: post.facts.threadId });
    if (!thread.some(isInFlight)) return post;
  }
  return undefined;
}

function burstOf({ createdAt }: PostMessage): number {
  return Math.floor(createdAt / BURST_MS);
}

/** `posts`: in the order of their alerts. */
function inOrderOfChoice(posts: readonly PostMessage[]): readonly PostMessage[] {
  const best = new Map<string, number>();
  const ranked = posts.toReversed().map((post) => {
    const { threadId, score, alertId } = post.facts;
    const burst = burstOf(post);
    const thread = `${burst}:${threadId}`;
    const rank = Math.max(score, best.get(thread) ?? 0);
    best.set(thread, rank);
    return { post, burst, rank, alertId };
  });
  return ranked
    .toSorted((a, b) => a.burst - b.burst || b.rank - a.rank || a.alertId - b.alertId)
    .map(({ post }) => post);
}

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
  const threadIds = await store.foldedThreads(channel, from, from + DAY_MS);
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
