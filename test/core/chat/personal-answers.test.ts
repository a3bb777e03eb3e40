import { describe, expect, test } from 'vitest';
import type { NewChatMessage } from '../../../src/core/chat/chat-message.ts';
import { personalOf } from '../../support/chat/messages.ts';
import { openPersonal } from '../../support/chat/personal-engine.ts';
import { refusal, UNKNOWN } from '../../support/chat/scripted-messenger.ts';
import { START } from '../../support/rows.ts';

const idOf = (alertId: number) => `personal:${alertId}@cus_a`;

/** What became of alert 1, of which the message told the person. */
function laterOf(kind: 'exit' | 'result' | 'mark', told: string | null = idOf(1)): NewChatMessage {
  const about = {
    alertId: 1,
    threadId: 1,
    marketId: '0xm1',
    platform: 'telegram',
    isRealtime: true,
  } as const;
  const times = { recipient: 'customer:cus_a', createdAt: START, dueAt: START } as const;
  const id = `p${kind}:1@cus_a`;
  const news = { alertMessageId: told, wallet: '0xaa', followIds: [] };
  if (kind === 'mark')
    return { ...times, id, kind: 'personal_mark', facts: { ...about, alertMessageId: told ?? '', seq: 1 } };
  if (kind === 'exit') return { ...times, id, kind: 'personal_exit', facts: { ...about, ...news, exit: 1 } };
  return { ...times, id, kind: 'personal_result', facts: { ...about, ...news, seq: 1 } };
}

describe('what became of an alert', () => {
  test.each(['exit', 'result'] as const)(
    'as %s is a reply to the message that told of it, once that is sent',
    async (kind) => {
      const [alert, next] = [personalOf(1, 'cus_a', { dueAt: START + 5_000 }), laterOf(kind)];
      const fixture = await openPersonal([alert, next]);

      await fixture.pass(4_000);
      expect(fixture.calls).toEqual([]);
      await fixture.pass(6_000);

      const reply = { how: 'reply', where: 'm1', view: next.id };
      expect(fixture.calls).toEqual([{ how: 'send', where: 'chat cus_a', view: idOf(1) }, reply]);
    },
  );

  test('is a message of its own for those who follow its wallet, and when the message of the alert is gone', async () => {
    const fixture = await openPersonal(
      [laterOf('exit', null), personalOf(1, 'cus_a', { score: 9 }), laterOf('result')],
      {
        answer: ({ how }) => (how === 'reply' ? refusal('gone') : undefined),
      },
    );

    await fixture.pass(9_000);

    expect(fixture.calls.map(({ how, view }) => `${how} ${view}`).toSorted()).toEqual([
      'reply presult:1@cus_a',
      'send personal:1@cus_a',
      'send pexit:1@cus_a',
      'send presult:1@cus_a',
    ]);
  });

  test('is not told to those whose alert was held back; its result is in their list', async () => {
    const fixture = await openPersonal([personalOf(1, 'cus_a'), laterOf('exit'), laterOf('mark')], {
      verdictOn: () => undefined,
    });
    await fixture.store.giveUp(idOf(1), { state: 'folded', error: 'no place left', at: START });

    await fixture.pass(3_000);

    expect(fixture.calls).toEqual([]);
    expect(await fixture.store.byId('pexit:1@cus_a')).toMatchObject({
      state: 'dropped',
      error: 'its alert was not sent',
    });
    expect(await fixture.stateOf('pmark:1@cus_a')).toBe('dropped');
  });

  test('marks the message of the alert: an edit, which is repeated when its outcome is unknown', async () => {
    let answers = 0;
    const fixture = await openPersonal([personalOf(1, 'cus_a', { score: 9 }), laterOf('mark')], {
      answer: ({ how }) => (how === 'edit' && answers++ === 0 ? UNKNOWN : undefined),
    });

    await fixture.pass(20_000);

    expect(fixture.calls.map(({ how, where }) => `${how} ${where}`)).toEqual([
      'send chat cus_a',
      'edit m1',
      'edit m1',
    ]);
    expect(await fixture.stateOf('pmark:1@cus_a')).toBe('sent');
  });

  test('marks no message that the person deleted', async () => {
    const fixture = await openPersonal([personalOf(1, 'cus_a', { score: 9 }), laterOf('mark')], {
      answer: ({ how }) => (how === 'edit' ? refusal('gone') : undefined),
    });

    await fixture.pass(5_000);

    expect(await fixture.store.byId('pmark:1@cus_a')).toMatchObject({
      state: 'dropped',
      error: 'the post is gone',
    });
  });
});
