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
    expect((await others.ofWallet('0xa')).map(({ number }) => number)).toEqual([2]);
  });

  test('a wallet is hidden while its last word of the two is `hide`; other statements have no part in it', async () => {
    const { statements } = fixture.database;
    await state(statements, about('0xc', 'hide'), about('0xa', 'hide'), about('0xb', 'hide'), WITHDRAWAL);
    await state(statements, about('0xb', 'unhide'), about('0xa'), about('0xd', 'unhide'));
    expect(await statements.hiddenWallets()).toEqual(['0xa', '0xc']);

    await state(statements, about('0xc', 'unhide'), about('0xb', 'hide'), about('0xa', 'hide'));

    expect(await (await fixture.another()).statements.hiddenWallets()).toEqual(['0xa', '0xb']);
  });
});
