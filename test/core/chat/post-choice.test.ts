import { expect, test } from 'vitest';
import type { PostMessage } from '../../../src/core/chat/chat-message.ts';
import { isChosen } from '../../../src/core/chat/post-choice.ts';
import { postOf } from '../../support/chat/messages.ts';

test.each([
  ['sent', true],
  ['sending', true],
  ['pending', true],
  ['unknown', true],
  ['withdrawn', true],
  ['dropped', true],
  ['failed', false],
  ['folded', false],
] as const)(
  'a post that was decided, and is %s, takes the one place of its day: %s',
  async (state, isTaken) => {
    const other = { ...postOf(1, { score: 60 }), state } as PostMessage;
    const store = { decided: async () => [other] } as never;
    const post = postOf(2, { score: 70 }) as PostMessage;

    expect(await isChosen({ store, channel: 'telegram', postsPerDay: 1 }, post)).toBe(!isTaken);
  },
);
