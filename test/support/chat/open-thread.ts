import type { Alert } from '../../../src/core/alerts/alert.ts';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { ONE, openPosts } from './open-posts.ts';

export const DELAYED = { ...ONE, delayMs: 15 * MINUTE_MS };

/** The calls that post alert 1, and then show alert 2 in its place. */
export const FIRST = { how: 'send', where: 'channel', view: '1: open' };
export const EDIT = { how: 'edit', where: 'm1', view: '2: open, updated' };

/** An alert of the thread that alert 1 began. */
export function ofThread(id: number, given: Partial<Alert> = {}) {
  return { id, threadId: 1, ...given };
}

/** With the post of alert 1 in the channel. */
export async function openThread(options: Parameters<typeof openPosts>[1] = {}, rules = ONE) {
  const posts = await openPosts(rules, options);
  await posts.publish(ofThread(1, { score: 90 }));
  posts.send();
  await posts.pass(2_000);
  return posts;
}
