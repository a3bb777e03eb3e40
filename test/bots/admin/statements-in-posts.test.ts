import { describe, expect, test } from 'vitest';
import { doIt, type Stand } from './acts-fixture.ts';
import { openConsoleFixture, wordsOfScreen } from './console-fixture.ts';
import { away, OTHER, WALLET } from './statements-fixture.ts';

async function sent({ database }: Stand, id = 'alert:1@telegram') {
  await database.chat.claim(id, { owner: 'a#1', at: 1 });
  await database.chat.finish(id, 'a#1', { state: 'sent', place: '77', at: 1 });
}

describe('posts that are out', () => {
  test('are put in line to be edited when their wallet is hidden, and again when it is shown', async () => {
    const stand = await openConsoleFixture();
    await sent(stand);
    expect(wordsOfScreen(await doIt(stand, `hide ${WALLET} court order`))).toBe(
      `${WALLET} is hidden. Statement 1. 1 post will be edited.`,
    );
    expect(wordsOfScreen(await doIt(stand, `unhide ${WALLET} lifted`))).toBe(
      `${WALLET} is no longer hidden. Statement 2. 1 post will be edited.`,
    );
    const due = await stand.database.chat.due({
      lane: 'channel:telegram',
      now: stand.clock.now(),
      limit: 10,
    });
    expect(due.map(({ id }) => id)).toEqual(['redraw:1:1@telegram', 'redraw:1:2@telegram']);
    expect(wordsOfScreen(await doIt(stand, `hide ${OTHER} court order`))).toContain(
      '0 posts will be edited.',
    );
  });

  test('are made up for by the same command after a fault, without a second statement', async () => {
    let isAway = true;
    const stand = await openConsoleFixture(({ posts }) => ({
      posts: { ...posts, redraw: (redraw) => (isAway ? away() : posts.redraw(redraw)) },
    }));
    await sent(stand);
    expect((await doIt(stand, `hide ${WALLET} court order`))?.name).toBe('admin_sorry');
    isAway = false;
    expect(wordsOfScreen(await doIt(stand, `hide ${WALLET} court order`))).toBe(
      `${WALLET} is hidden already. 1 post will be edited.`,
    );
    expect((await doIt(stand, `hide ${WALLET} court order`))?.name).toBe('admin_refused');
    expect(await stand.database.statements.after(0, 10)).toHaveLength(1);
  });
});

describe('a withdrawal', () => {
  test('that took nothing back is not stated', async () => {
    const stand = await openConsoleFixture(({ posts }) => ({
      posts: {
        ...posts,
        withdraw: async () => [
          { id: 'alert:1@telegram', result: 'failed', detail: 'no bot for this channel' },
        ],
      },
    }));
    expect((await doIt(stand, 'withdraw 1 court order'))?.name).toBe('admin_refused');
    expect((await doIt(stand, 'withdraw 2 court order'))?.name).toBe('admin_refused');
    expect(await stand.database.statements.after(0, 10)).toEqual([]);
  });

  test('whose statement failed is stated by the same command, once', async () => {
    let isAway = true;
    const stand = await openConsoleFixture(({ statements, posts }) => ({
      statements: { ...statements, append: (one) => (isAway ? away() : statements.append(one)) },
      posts: {
        ...posts,
        async withdraw(id) {
          await stand.database.chat.withdraw('alert:1@telegram', 1);
          return posts.withdraw(id);
        },
      },
    }));
    expect((await doIt(stand, 'withdraw 1'))?.name).toBe('admin_sorry');
    isAway = false;
    expect(wordsOfScreen(await doIt(stand, 'withdraw 1 court order'))).toBe(
      'Alert 1: withdrawn before. Statement 1.',
    );
    expect((await doIt(stand, 'withdraw 1'))?.name).toBe('admin_refused');
    expect(await stand.database.statements.after(0, 10)).toMatchObject([
      { alertId: 1, reason: 'court order' },
    ]);
  });
});
