import { expect, test } from 'vitest';
import type { RequestedCommand, RequestResult } from '../../../src/core/operations/operator-request.ts';
import { actionsOf, actorOf, openConsoleFixture, postIsOut, wordsOfScreen } from './console-fixture.ts';

const KEYBOARD = actorOf({ platform: 'terminal', userId: 'ann' });

/** A console in a process without bots, and what it sent. */
async function openKeyboard(outcome: RequestResult) {
  const sent: RequestedCommand[] = [];
  const stand = await openConsoleFixture(() => ({
    hasBots: false,
    requests: {
      async send(command) {
        sent.push(command);
        return outcome;
      },
    },
  }));
  return { ...stand, requested: sent };
}

test('withdraw of a post that is out is confirmed at the keyboard, and then carried out by the process with the bots', async () => {
  const stand = await openKeyboard({ outcome: 'done', answer: 'Alert 1: channel:telegram withdrawn.' });
  await postIsOut(stand);

  const asked = await stand.type('withdraw 1 wrong market', KEYBOARD);
  expect(stand.requested).toEqual([]);
  const screen = await stand.tap(actionsOf(asked)[0] as string, KEYBOARD);

  expect(stand.requested).toEqual([{ command: 'withdraw', args: '1 wrong market', actor: 'terminal:ann' }]);
  expect([screen?.name, wordsOfScreen(screen)]).toEqual([
    'admin_done',
    'Alert 1: channel:telegram withdrawn.',
  ]);
  expect(stand.withdrawn).toEqual([]);
});

test('a post that is not out yet is withdrawn without a bot', async () => {
  const stand = await openKeyboard({ outcome: 'no_process' });
  const asked = await stand.type('withdraw 1', KEYBOARD);
  expect((await stand.tap(actionsOf(asked)[0] as string, KEYBOARD))?.name).toBe('admin_done');
  expect([stand.requested, stand.withdrawn]).toEqual([[], [1]]);
});

test('a customer whose key is on show is erased by the process with the bots, which removes it; others are erased here', async () => {
  const stand = await openKeyboard({ outcome: 'done', answer: 'cus_ann is erased.' });
  const shown = { bot: 'telegram', messageRef: '77:5' } as const;
  await stand.database.keyMessages.add({ ...shown, request: 'r1', createdAt: 0, dueAt: 0, attempts: 0 });
  await stand.tap(actionsOf(await stand.type('erase cus_ann', KEYBOARD))[0] as string, KEYBOARD);
  expect(stand.requested).toMatchObject([{ command: 'erase', args: 'cus_ann' }]);
  expect(await stand.deps.customers.byId('cus_ann')).not.toBeNull();

  await stand.database.keyMessages.remove(shown);
  await stand.tap(actionsOf(await stand.type('erase cus_ann', KEYBOARD))[0] as string, KEYBOARD);
  expect(stand.requested).toHaveLength(1);
  expect(await stand.deps.customers.byId('cus_ann')).toBeNull();
});

test.each([
  ['no_process', 'no process with the bots runs', 'refused: Nothing was done'],
  ['not_taken', 'It will not be done later', 'refused: Nothing was done'],
  ['no_answer', 'has not ended after 30 s', 'no answer: the outcome follows'],
] as const)('withdraw at the keyboard says and records %s', async (outcome, words, entry) => {
  const stand = await openKeyboard({ outcome });
  await postIsOut(stand);
  const asked = await stand.type('withdraw 1', KEYBOARD);
  const screen = await stand.tap(actionsOf(asked)[0] as string, KEYBOARD);
  expect(screen?.name).toBe('admin_refused');
  expect(wordsOfScreen(screen)).toContain(words);
  expect((await stand.audited()).at(-1)).toContain(`terminal:ann | withdraw | 1 | ${entry}`);
});

test('the process that carries it out records it for the operator at the keyboard, before and after', async () => {
  const stand = await openConsoleFixture();
  await postIsOut(stand);
  const request = { id: 'req_1', at: 1, state: 'running', answer: null } as const;

  const answer = await stand.adminConsole.obey({
    ...request,
    command: 'withdraw',
    args: '1',
    actor: 'terminal:ann',
  });

  expect(answer).toEqual({
    state: 'done',
    answer: expect.stringContaining('Alert 1 is withdrawn: channel:telegram withdrawn'),
  });
  expect(stand.withdrawn).toEqual([1]);
  expect(await stand.audited()).toEqual([
    'terminal:ann | withdraw | 1 | begins',
    expect.stringContaining('terminal:ann | withdraw | 1 | done: Alert 1'),
  ]);
});

test('what is refused, unknown or not an act there changes nothing', async () => {
  const stand = await openConsoleFixture();
  const request = { id: 'req_1', at: 1, state: 'running', answer: null } as const;
  const obey = (command: string, args: string) =>
    stand.adminConsole.obey({ ...request, command, args, actor: 'terminal:ann' });

  expect(await obey('withdraw', '2')).toMatchObject({ state: 'refused' });
  expect(await obey('withdraw', 'x')).toMatchObject({ state: 'refused' });
  expect(await obey('stats', '')).toEqual({ state: 'refused', answer: 'stats is not known here.' });
  expect(stand.withdrawn).toEqual([]);
});
