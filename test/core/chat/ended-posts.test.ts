import { describe, expect, test } from 'vitest';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { ONE } from '../../support/chat/open-posts.ts';
import {
  alert,
  DELAYED,
  EDIT,
  FIRST,
  POSTED,
  play,
  result,
  SCORED,
  type Step,
  sees,
  start,
  TWO_DELAYED,
  takenBack,
  wait,
} from '../../support/chat/open-thread.ts';
import { type Answer, refusal } from '../../support/chat/scripted-messenger.ts';
import { START } from '../../support/rows.ts';

const ended =
  (id: string): Step =>
  async ({ stateOf }) =>
    expect(await stateOf(id)).toBe('dropped');

describe('when the market resolves', () => {
  test('the post is edited with the outcome, and again when that is corrected', () =>
    play({}, [
      ...[...POSTED, result(1), result(0), result(1)],
      sees(FIRST, 'edit m1 1: 1', 'edit m1 1: 0', 'edit m1 1: 1'),
    ]));

  test('a post that was not sent by then is edited when the outcome is due, whatever it showed', () =>
    play({ rules: { ...ONE, delayMs: 5_000 } }, [
      alert(1, {}, 0),
      start,
      result(1),
      wait(10_000),
      sees('send 1: 1', 'edit m1 1: 1'),
    ]));
});

describe('what the operator took back', () => {
  test('is neither posted again nor edited, whatever follows in its thread', () =>
    play({ rules: SCORED }, [
      ...POSTED,
      takenBack(1),
      alert(2),
      alert(3, { score: 1 }),
      result(1),
      sees(FIRST, 'remove m1'),
    ]));

  test('by the number of the alert that its post was changed for is that post', () =>
    play({}, [...POSTED, alert(2), takenBack(2), alert(3), sees(FIRST, EDIT, 'remove m1')]));

  test('before it was shown is never shown', () =>
    play({ rules: DELAYED }, [
      ...TWO_DELAYED,
      takenBack(2),
      wait(2 * MINUTE_MS),
      result(1),
      sees(FIRST),
      wait(DELAYED.delayMs),
      sees(FIRST, 'edit m1 1: 1'),
    ]));

  test('goes with the answers to it, and leaves other threads alone', () =>
    play({ answer: ({ how }) => (how === 'edit' ? refusal('refused') : undefined) }, [
      ...POSTED,
      alert(2, {}, 5_000),
      alert(3, { threadId: 3 }),
      takenBack(1),
      alert(4),
      sees(FIRST, EDIT, 'reply m1 2: open, updated', 'send 3: open', 'remove m1', 'remove m3'),
    ]));
});

describe('a post that was deleted on its platform', () => {
  /** It is gone when it is edited, or answered, the first time. */
  const goneAt = (gone: 'edit' | 'reply'): Answer => {
    let isThere = true;
    return ({ how }) => {
      if (how === gone && isThere) {
        isThere = false;
        return refusal('gone');
      }
      return how === 'edit' && gone === 'reply' && isThere ? refusal('refused') : undefined;
    };
  };

  test.each([
    ['edit', [EDIT]],
    ['reply', [EDIT, 'reply m1 2: open, updated']],
  ] as const)(
    'ends with the %s that finds out; the next alert of its thread that is worth a post is posted',
    (how, tried) =>
      play({ rules: SCORED, answer: goneAt(how) }, [
        ...POSTED,
        alert(2, { score: 70 }, 5_000),
        alert(3, { score: 10 }),
        sees(FIRST, ...tried),
        ended('alert:1@telegram'),
        ended('alert:2@telegram'),
        alert(4, { score: 70 }),
        alert(5, { score: 10 }),
        sees(FIRST, ...tried, 'send 4: open', `edit m${tried.length + 2} 5: open, updated`),
      ]),
  );

  test('ends with the result too, and was one of the posts of its day', () =>
    play({ answer: goneAt('edit'), postsPerDay: 1 }, [
      ...POSTED,
      result(1),
      alert(2),
      sees(FIRST, 'edit m1 1: 1'),
    ]));
});

describe('an order that begins a cluster', () => {
  const cluster = { type: 'cluster', createdAt: START, tradedAt: START + 900 } as const;
  const order = { createdAt: START, tradedAt: START } as const;
  const shown = wait(DELAYED.delayMs + 4_000);

  test('is shown once, by the post of the cluster', () =>
    play({ rules: DELAYED }, [
      alert(1, order),
      alert(2, { threadId: 2, ...cluster }),
      start,
      shown,
      sees('send 2: open'),
    ]));

  test.each<[string, Partial<Alert>, Partial<Alert>]>([
    ['another wallet’s', { wallet: '0xb' }, {}],
    ['of another second', {}, { tradedAt: START + 1_000 }],
    ['of another outcome', { outcome: 'No' }, {}],
    ['of a cluster of which no post is made', {}, { isHistory: true }],
  ])('has its own post besides when it is %s', (_, wallet, second) =>
    play({ rules: DELAYED }, [
      alert(1, { ...order, ...wallet }),
      alert(2, { threadId: 2, ...cluster, ...second }),
      start,
      shown,
      (posts) => expect(posts.shown()).toContain(FIRST),
    ]),
  );

  test.each([
    ['shown once, though alerts of other orders lie in between', 49, []],
    ['not looked for further back than 50 alerts', 50, [FIRST]],
  ])('is %s', (_, others, own) =>
    play({ rules: { ...DELAYED, minScore: 60 } }, [
      alert(1, { ...order, score: 90 }),
      ...Array.from({ length: others }, (__, index) =>
        alert(index + 2, { threadId: index + 2, score: 1, wallet: `0xb${index}`, createdAt: START }),
      ),
      alert(2 + others, { threadId: 2 + others, ...cluster, score: 90 }),
      start,
      shown,
      sees(...own, `send ${2 + others}: open`),
    ]),
  );

  test('still edits the post of its wallet’s thread', () =>
    play({}, [
      ...POSTED,
      alert(2, { ...order, tradedAt: START + 900 }),
      alert(3, { threadId: 3, ...cluster }),
      sees(FIRST, EDIT, 'send 3: open'),
    ]));
});
