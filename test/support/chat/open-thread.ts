import { expect } from 'vitest';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import type { PostRules } from '../../../src/core/chat/channel-posts.ts';
import type { SendResult } from '../../../src/core/chat/messenger.ts';
import { START } from '../rows.ts';
import { ONE, openPosts } from './open-posts.ts';

export const DELAYED = { ...ONE, delayMs: 15 * MINUTE_MS };
/** Alerts below it have no post of their own. */
export const SCORED = { ...ONE, minScore: 60 };
export const FIRST = 'send 1: open';
export const EDIT = 'edit m1 2: open, updated';
export const SOON = { createdAt: START };

type Posts = Awaited<ReturnType<typeof openPosts>>;
type Options = Parameters<typeof openPosts>[1];

/** An alert of the thread that alert 1 began. */
export function ofThread(id: number, given: Partial<Alert> = {}) {
  return { id, threadId: 1, ...given };
}

/** With the post of alert 1 in the channel. */
export async function openThread(options: Options = {}, rules = ONE) {
  const posts = await openPosts(rules, options);
  for (const step of POSTED) await step(posts);
  return posts;
}

/** What happens in a play, with two seconds after it, and what is looked at. */
export type Step = (posts: Posts) => unknown;

const then =
  (act: (posts: Posts) => unknown, ms = 2_000): Step =>
  async (posts) => {
    await act(posts);
    await posts.pass(ms);
  };
export const alert = (id: number, given: Partial<Alert> = {}, ms = 2_000): Step =>
  then(({ publish }) => publish(ofThread(id, given)), ms);
export const alertNow = (id: number): Step =>
  then(({ publish, clock }) => publish(ofThread(id, { createdAt: clock.now(), tradedAt: clock.now() })));
export const result = (payout: number): Step => then(({ resolve }) => resolve(payout));
export const takenBack = (alertId: number): Step => then(({ withdraw }) => withdraw(alertId));
export const paused = (isPaused: boolean): Step => then(({ pause }) => pause(isPaused));
export const start: Step = then(({ send }) => send());
export const wait =
  (ms: number, stepMs?: number): Step =>
  ({ pass }) =>
    pass(ms, stepMs);
export const sees =
  (...shown: readonly string[]): Step =>
  (posts) =>
    expect(posts.shown()).toEqual(shown);

/** The post of alert 1 is sent. */
export const POSTED = [alert(1, { score: 90 }, 0), start];
export const TWO_DELAYED = [
  alert(1, SOON),
  alert(2, { createdAt: START + MINUTE_MS }),
  start,
  wait(DELAYED.delayMs + 1_000),
];

interface Play extends NonNullable<Options> {
  readonly rules?: PostRules;
  /** What the platform says to the first calls, in turn. */
  readonly answers?: readonly (SendResult | undefined)[];
}

export async function play({ rules = ONE, answers, ...options }: Play, steps: readonly Step[]) {
  const left = [...(answers ?? [])];
  const posts = await openPosts(rules, { answer: () => left.shift(), ...options });
  for (const step of steps) await step(posts);
}
