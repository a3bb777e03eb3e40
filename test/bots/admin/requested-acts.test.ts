import { expect, test } from 'vitest';
import type { RequestedCommand, RequestResult } from '../../../src/core/operations/operator-request.ts';
import { actionsOf, actorOf, openConsoleFixture, postIsOut, wordsOfScreen } from './console-fixture.ts';

const KEYBOARD = actorOf({ platform: 'terminal', userId: 'ann' });

/** A console beside the service, and what it sent. */
async function openKeyboard(outcome: RequestResult) {
  const sent: RequestedCommand[] = [];
  const stand = await openConsoleFixture(() => ({
    requests: {
      async send(command) {
        sent.push(command);
        return outcome;
      },
    },
  }));
  return { ...stand, requested: sent };
}

test('withdraw of a post that is out is confirmed at the keyboard, and then carried out by the service', async () => {
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

test('where no service runs an act is carried out and recorded at the keyboard', async () => {
  const stand = await openKeyboard({ outcome: 'no_worker' });
  const asked = await stand.type('withdraw 1', KEYBOARD);
  expect((await stand.tap(actionsOf(asked)[0] as string, KEYBOARD))?.name).toBe('admin_done');
  expect([stand.requested.length, stand.withdrawn]).toEqual([1, [1]]);
  expect((await stand.audited()).at(-1)).toContain('terminal:ann | withdraw | 1 | done: Alert 1');
});

test('an act without a question is carried out by the service, too, with ids in place of names', async () => {
  const stand = await openKeyboard({ outcome: 'done', answer: 'cus_ann is not banned any more.' });
  await stand.deps.customers.ban('cus_ann');
  const screen = await stand.type('ban @ann off', KEYBOARD);
  expect(wordsOfScreen(screen)).toBe('cus_ann is not banned any more.');
  expect(stand.requested).toEqual([{ command: 'ban', args: 'cus_ann off', actor: 'terminal:ann' }]);
});

test.each([
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

test('the service records it for the operator at the keyboard, before and after', async () => {
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
