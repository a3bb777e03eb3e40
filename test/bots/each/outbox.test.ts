import { expect, onTestFinished, test } from 'vitest';
import type { Screen } from '../../../bots/shared/screen.ts';
import { HOUR_MS } from '../../../src/core/base/time/duration.ts';
import { ChatEngine } from '../../../src/core/chat/chat-engine.ts';
import type { ChatMessage, ChatState, NewChatMessage } from '../../../src/core/chat/chat-message.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { engineParts, fakeCustomers, handleOn } from '../../support/chat/chat-engine-fixture.ts';
import type { RigFault } from '../../support/chat/driver.ts';
import { onEachBot } from '../../support/chat/each-bot.ts';
import { noteFor, postOf } from '../../support/chat/messages.ts';
import { page } from '../../support/chat/scripted-conversation.ts';
import { START } from '../../support/rows.ts';

const NOTE = 'note:customer:cus_a';

onEachBot('the outbox', (open, platform) => {
  const postId = (id: number) => `alert:${id}@${platform}`;
  const post = (id: number) => postOf(id, { channel: platform });
  const result: NewChatMessage = {
    id: `result:1:1@${platform}`,
    recipient: `channel:${platform}`,
    kind: 'alert_result',
    facts: { alertId: 1, threadId: 1 },
    createdAt: START,
    dueAt: START,
  };

  /** Over the wire. The text of a message differs each time. */
  async function openBotOutbox() {
    const rig = await open({ isStarted: false });
    const ann = rig.person('ann');
    const customers = fakeCustomers({ cus_a: { ...handleOn(platform, ann.id), chat: ann.id } });
    let texts = 0;
    const present = async ({ id }: ChatMessage) => page(`${id}, text ${++texts}`);
    const { bot, clock } = rig;
    const database = await openDatabase('sqlite::memory:');
    const messengers = { [platform]: bot.messenger };
    const engine = new ChatEngine<Screen>({
      ...engineParts(database),
      ...{ messengers, clock, customers, present },
    });
    onTestFinished(async () => {
      const closing = engine.close();
      await clock.advance(6_000);
      await closing;
      await database.close();
    });
    return {
      ...{ ...rig, ann, store: database.chat },
      start: () => engine.start(),
      async reaches(id: string, state: ChatState) {
        const look = async () => {
          const found = (await database.chat.byId(id))?.state;
          if (found !== state) await clock.advance(500);
          return found;
        };
        await expect.poll(look).toBe(state);
      },
    };
  }

  test.each<RigFault>(['lost', 'server error'])(
    'never shows a message twice when nobody knows whether it was sent (%s)',
    async (fault) => {
      const { ann, bot, store, start, clock, fail, inChannel, calls, reaches } = await openBotOutbox();
      fail('send', fault, 2);
      await store.add([post(1), noteFor('customer:cus_a')]);
      start();
      // A platform that recognises a message is given it again; elsewhere the operator is told.
      const end = bot.messenger.deduplicatesForMs === undefined ? 'unknown' : 'sent';
      await reaches(postId(1), end);
      await reaches(NOTE, end);
      await clock.advance(HOUR_MS);

      const isThere = fault === 'lost' || end === 'sent';
      expect(inChannel()).toHaveLength(isThere ? 1 : 0);
      expect(ann.messages()).toHaveLength(isThere ? 1 : 0);
      if (end === 'sent') return;
      expect(calls('send')).toBe(2);
      expect((await store.unknown({ since: 0, limit: 10 })).map(({ id }) => id).toSorted()).toEqual([
        postId(1),
        NOTE,
      ]);
    },
  );

  test('posts what was due once a bot that was put out of the channel is back', async () => {
    const { store, start, fail, inChannel, reaches } = await openBotOutbox();
    fail('send', 'shut out');
    await store.add([post(1), post(2)]);
    start();
    await reaches(postId(1), 'sent');
    await reaches(postId(2), 'sent');
    expect(inChannel()).toHaveLength(2);
  });

  test('posts a burst best first', async () => {
    const { store, start, inChannel, reaches } = await openBotOutbox();
    const scores = [63, 70, 100, 63, 87];
    await store.add(scores.map((score, index) => postOf(index + 1, { channel: platform, score })));
    start();
    for (const id of [1, 2, 3, 4, 5]) await reaches(postId(id), 'sent');
    const ids = inChannel().map(({ text }) => Number(/alert:(\d)/.exec(text)?.[1]));
    expect(ids).toEqual([3, 5, 2, 1, 4]);
  });

  test('shows a result whose post cannot be edited in an answer to it', async () => {
    const { store, start, fail, inChannel, reaches } = await openBotOutbox();
    fail('edit', 'no right');
    await store.add([post(1)]);
    start();
    await reaches(postId(1), 'sent');
    await store.add([result]);
    await reaches(result.id, 'sent');
    const place = (await store.byId(postId(1)))?.place;
    expect(inChannel()).toMatchObject([{ replyTo: null }, { replyTo: place }]);
  });

  test('drops a result whose post was deleted with that reason', async () => {
    const { store, start, fail, reaches } = await openBotOutbox();
    fail('edit', 'deleted');
    await store.add([post(1)]);
    start();
    await reaches(postId(1), 'sent');
    await store.add([result]);
    await reaches(result.id, 'dropped');
    expect((await store.byId(result.id))?.error).toBe('the post is gone');
  });
});
