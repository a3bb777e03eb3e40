import { describe, expect, test, vi } from 'vitest';
import { ANN, ANNS_KEY, actionsOf, away, openConsoleFixture, wordsOfScreen } from './console-fixture.ts';

describe('each act lands in the audit log', () => {
  test('an act is written down before it is done, and again with its outcome', async () => {
    const entriesDuring: string[] = [];
    const { type, audited, database } = await openConsoleFixture();
    const { audit, pauses } = database;
    const pause = pauses.pause.bind(pauses);
    vi.spyOn(pauses, 'pause').mockImplementation(async (paused) => {
      for (const { outcome } of await audit.list({ limit: 10 })) entriesDuring.push(outcome);
      return pause(paused);
    });
    await type('pause feed');
    expect(entriesDuring).toEqual(['begins']);
    expect(await audited()).toEqual([
      'telegram:123 | pause | feed | begins',
      'telegram:123 | pause | feed | done: feed is paused until it is resumed.',
    ]);
  });

  test('a cancelled act says so, and cannot be confirmed afterwards', async () => {
    const { type, tap, audited, deps } = await openConsoleFixture();
    const [yes = '', cancel = ''] = actionsOf(await type('ban @ann'));
    expect((await tap(cancel))?.name).toBe('admin_cancelled');
    expect((await tap(yes))?.name).toBe('admin_nothing_waits');
    expect((await deps.customers.byId(ANN.id))?.bannedAt).toBeNull();
    expect((await audited()).at(-1)).toBe('telegram:123 | ban | cus_ann | cancelled');
  });

  test('a refused act is recorded with the reason', async () => {
    const { type, audited } = await openConsoleFixture();
    expect((await type('revoke key_nobody'))?.name).toBe('admin_refused');
    expect(await audited()).toEqual([
      expect.stringMatching(/^telegram:123 \| revoke \| key_nobody \| refused: No key matches/),
    ]);
  });

  test('reading is not an act, and neither is a command with bad arguments', async () => {
    const { type, audited } = await openConsoleFixture();
    for (const line of ['stats', 'health', 'find @ann', 'why 1', 'help', 'tier key_a gold', 'revoke'])
      await type(line);
    expect(await audited()).toEqual([]);
  });

  test('an act that fails is recorded as failed, and the operator sees that something went wrong', async () => {
    const { type, audited, lines, database } = await openConsoleFixture();
    vi.spyOn(database.pauses, 'pause').mockImplementation(away);
    const screen = await type('pause feed');
    expect(screen?.name).toBe('admin_sorry');
    expect((await audited()).map((entry) => entry.split(' | ')[3])).toEqual([
      'begins',
      'failed: a part of the service does not answer; it may be done in part',
    ]);
    expect(lines).toEqual([expect.objectContaining({ level: 'error' })]);
  });

  test('no act is done while the audit log cannot be written, neither directly nor after confirmation', async () => {
    const { type, tap, deps, lines, database } = await openConsoleFixture();
    const [yes = ''] = actionsOf(await type('ban @ann'));
    vi.spyOn(database.audit, 'append').mockImplementation(away);

    expect((await tap(yes))?.name).toBe('admin_not_recorded');
    expect((await type('pause feed'))?.name).toBe('admin_not_recorded');
    expect((await type(`revoke ${ANNS_KEY.id}`))?.name).toBe('admin_sorry');

    expect((await deps.customers.byId(ANN.id))?.bannedAt).toBeNull();
    expect(await deps.database.pauses.list()).toEqual([]);
    expect(lines.map(({ level }) => level)).toEqual(['error', 'error', 'error']);
  });

  test('an outcome that cannot be written is in the log; what was done is shown as done', async () => {
    const { type, audited, lines, database } = await openConsoleFixture();
    const append = database.audit.append.bind(database.audit);
    vi.spyOn(database.audit, 'append').mockImplementationOnce(append).mockImplementationOnce(away);
    expect((await type('pause feed'))?.name).toBe('admin_done');
    expect(await audited()).toEqual([expect.stringContaining('begins')]);
    expect(lines).toEqual([expect.objectContaining({ level: 'error' })]);
  });

  test('an entry is one line of bounded length, whatever was typed', async () => {
    const { type, audited } = await openConsoleFixture();
    await type(`broadcast first\nsecond \u202e${'long '.repeat(290)}`);
    const [entry = ''] = await audited();
    const args = entry.split(' | ')[2] ?? '';
    expect(args).toMatch(/^first second long long/);
    expect(args).toHaveLength(500);
  });
});

describe('a question waits', () => {
  test('5 minutes long: a yes just before counts, one at the end does not', async () => {
    const { type, tap, clock } = await openConsoleFixture();
    const [yes = ''] = actionsOf(await type('ban @ann'));
    await clock.advance(5 * 60_000);
    expect((await tap(yes))?.name).toBe('admin_nothing_waits');
    const [again = ''] = actionsOf(await type('ban @ann'));
    await clock.advance(5 * 60_000 - 1);
    expect((await tap(again))?.name).toBe('admin_done');
  });

  test('in bounded memory: of more than 100 the oldest give way', async () => {
    const { type, tap } = await openConsoleFixture();
    const [first = ''] = actionsOf(await type('ban @ann'));
    let last = '';
    for (let count = 0; count < 100; count += 1) [last = ''] = actionsOf(await type('ban @ann'));
    expect((await tap(first))?.name).toBe('admin_nothing_waits');
    expect((await tap(last))?.name).toBe('admin_done');
  });

  test('for one yes: of two at the same time one is done', async () => {
    const { type, tap } = await openConsoleFixture();
    const [yes = ''] = actionsOf(await type('ban @ann'));
    const names = (await Promise.all([tap(yes), tap(yes)])).map((screen) => screen?.name);
    expect(names.toSorted()).toEqual(['admin_done', 'admin_nothing_waits']);
  });

  test('what changed meanwhile is seen when the yes comes', async () => {
    const { type, tap, database } = await openConsoleFixture();
    const [yes = ''] = actionsOf(await type(`tier ${ANNS_KEY.id} free`));
    await database.keys.revoke(ANNS_KEY.id, 1);
    expect(wordsOfScreen(await tap(yes))).toContain('is revoked permanently');
  });
});
