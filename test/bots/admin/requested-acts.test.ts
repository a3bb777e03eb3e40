import { expect, test } from 'vitest';
import type { RequestedCommand, RequestResult } from '../../../src/core/operations/operator-request.ts';
import { actionsOf, actorOf, openConsoleFixture, postIsOut, wordsOfScreen } from './console-fixture.ts';

const KEYBOARD = actorOf({ platform: 'terminal', userId: 'ann' });

/** A console that can do neither what needs bots nor jobs, and what it sent. */
async function openKeyboard(outcome: RequestResult) {
  const sent: RequestedCommand[] = [];
  const stand = await openConsoleFixture(() => ({
    serves: [],
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

  expect(stand.requested).toEqual([
    { needs: 'bots', command: 'withdraw', args: '1 wrong market', actor: 'terminal:ann' },
  ]);
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
  expect(stand.requested).toMatchObject([{ needs: 'bots', command: 'erase', args: 'cus_ann' }]);
  expect(await stand.deps.customers.byId('cus_ann')).not.toBeNull();

  await stand.database.keyMessages.remove(shown);
  await stand.tap(actionsOf(await stand.type('erase cus_ann', KEYBOARD))[0] as string, KEYBOARD);
  expect(stand.requested).toHaveLength(1);
  expect(await stand.deps.customers.byId('cus_ann')).toBeNull();
});

test.each([
  ['no_process', 'no process with the jobs runs', 'refused: Nothing was done'],
  ['not_taken', 'It will not be done later', 'refused: Nothing was done'],
  ['no_answer', 'has not ended after 30 s', 'no answer: the outcome follows'],
] as const)('run at the keyboard says and records %s', async (outcome, words, entry) => {
  const stand = await openKeyboard({ outcome });
  const screen = await stand.type('run daily-digest', KEYBOARD);
  expect(screen?.name).toBe('admin_refused');
  expect(wordsOfScreen(screen)).toContain(words);
  expect((await stand.audited()).at(-1)).toContain(`terminal:ann | run | daily-digest | ${entry}`);
});

test('the process that carries it out records it for the operator at the keyboard, before and after', async () => {
  const stand = await openConsoleFixture();
  await postIsOut(stand);
  const request = { id: 'req_1', at: 1, state: 'running', answer: null, needs: 'bots' } as const;

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
  const request = { id: 'req_1', at: 1, state: 'running', answer: null, needs: 'bots' } as const;
  const obey = (command: string, args: string) =>
    stand.adminConsole.obey({ ...request, command, args, actor: 'terminal:ann' });

  expect(await obey('withdraw', '2')).toMatchObject({ state: 'refused' });
  expect(await obey('withdraw', 'x')).toMatchObject({ state: 'refused' });
  expect(await obey('stats', '')).toEqual({ state: 'refused', answer: 'stats is not known here.' });
  expect(stand.withdrawn).toEqual([]);
});

test('run now runs a job that is not due; anything else after its name is refused', async () => {
  const forced: boolean[] = [];
  const stand = await openConsoleFixture(() => ({
    async runJob(_, { isForced }) {
      forced.push(isForced);
      return { isRun: true, period: '2026-11-20', outcome: 'nothing to do', isFailed: false };
    },
  }));
  for (const line of ['run daily-digest', 'run daily-digest now', 'run daily-digest --now'])
    expect((await stand.confirm(line))?.name).toBe('admin_done');
  expect(forced).toEqual([false, true, true]);
  expect((await stand.type('run daily-digest soon'))?.name).toBe('admin_bad_arguments');
});

test('run of a job that is not due says when its period was done, and how to run it nevertheless', async () => {
  const stand = await openConsoleFixture(() => ({
    runJob: async () => ({ isRun: false, reason: 'not_due' }),
  }));
  const at = stand.clock.now();
  const begun = { job: 'daily-digest', period: '2026-11-20', owner: 'one', startedAt: at };
  const run = await stand.database.jobRuns.begin(begun, () => true);
  if (run === null) throw new Error('not begun');
  expect(await stand.ask('run daily-digest')).toContain(
    'daily-digest is not due: another process has been running it since',
  );

  await stand.database.jobRuns.end(run, { at, outcome: '2 posts', isFailed: false });
  expect(await stand.ask('run daily-digest')).toMatch(
    /not due: 2026-11-20 is done \(.* UTC: 2 posts\)\. “run daily-digest now” runs it once more/,
  );
});
