import { expect, test } from 'vitest';
import type { Statement, StatementStore } from '../../../src/core/alerts/statements/statement-store.ts';
import { START } from '../../support/rows.ts';
import { onEachDatabase } from './each-database.ts';

type Draft = Omit<Statement, 'number'>;

const WITHDRAWAL: Draft = { at: START, kind: 'withdraw', wallet: null, alertId: 7, reason: null };

function about(wallet: string, kind: Statement['kind'] = 'annotate'): Draft {
  return { at: START, kind, wallet, alertId: null, reason: 'a market maker: “é” 😀' };
}

async function state(statements: StatementStore, ...drafts: readonly Draft[]): Promise<void> {
  for (const draft of drafts) await statements.append(draft);
}

onEachDatabase('statement store', (fixture) => {
  test('nothing is stated at first', async () => {
    const { statements } = fixture.database;

    expect(await statements.after(0, 10)).toEqual([]);
    expect(await statements.ofWallet('0xa')).toEqual([]);
    expect(await statements.hiddenWallets()).toEqual([]);
  });

  test('statements are numbered 1, 2, 3 … as written, and read in order, a page at a time', async () => {
    const { statements } = fixture.database;

    expect(await statements.append(WITHDRAWAL)).toStrictEqual({ number: 1, ...WITHDRAWAL });
    expect(await statements.append(about('0xa'))).toStrictEqual({ number: 2, ...about('0xa') });
    await statements.append(about('0xb', 'hide'));

    const others = (await fixture.another()).statements;
    expect(await others.after(0, 2)).toStrictEqual([
      { number: 1, ...WITHDRAWAL },
      { number: 2, ...about('0xa') },
    ]);
    expect(await others.after(2, 2)).toStrictEqual([{ number: 3, ...about('0xb', 'hide') }]);
    expect(await others.after(3, 2)).toEqual([]);
  });

  test('statements of two processes at the same time are all kept, and numbered without a gap', async () => {
    const processes = [fixture.database.statements, (await fixture.another()).statements];
    const turns = Array.from({ length: 20 }, (_, index) => index);

    const stated = await Promise.all(
      processes.flatMap((statements, process) =>
        turns.map((turn) => statements.append({ ...about(`0x${process}`), reason: String(turn) })),
      ),
    );

    const kept = await fixture.database.statements.after(0, 100);
    expect(kept.map(({ number }) => number)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    expect(kept).toStrictEqual(stated.toSorted((one, other) => one.number - other.number));
  });

  test('those about a wallet are found, the oldest first', async () => {
    const { statements } = fixture.database;
    await state(statements, about('0xa'), WITHDRAWAL, about('0xab'), about('0xa', 'hide'));

    expect((await statements.ofWallet('0xa')).map(({ number }) => number)).toEqual([1, 4]);
    expect(await statements.ofWallet('0x')).toEqual([]);
  });

  test('a wallet is hidden while its last word of the two is `hide`; other statements have no part in it', async () => {
    const { statements } = fixture.database;
    await state(statements, about('0xc', 'hide'), about('0xa', 'hide'), about('0xb', 'hide'), WITHDRAWAL);
    await state(statements, about('0xb', 'unhide'), about('0xa'), about('0xd', 'unhide'));
    expect(await statements.hiddenWallets()).toEqual(['0xa', '0xc']);

    await state(statements, about('0xc', 'unhide'), about('0xb', 'hide'), about('0xa', 'hide'));

    expect(await (await fixture.another()).statements.hiddenWallets()).toEqual(['0xa', '0xb']);
  });

  test('it only grows: there is nothing to change or remove a statement with', () => {
    expect(Object.keys(fixture.database.statements).toSorted()).toEqual([
      'after',
      'append',
      'hiddenWallets',
      'ofWallet',
    ]);
  });
});
