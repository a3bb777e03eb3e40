import { expect, onTestFinished, test } from 'vitest';
import { SECOND_MS } from '../../../src/core/base/time/duration.ts';
import type { Database } from '../../../src/core/database.ts';
import { onSqlite } from '../../infra/database/each-database.ts';
import { alertOf, exitOf, settlementOf } from '../../support/alerts.ts';
import { crashPointsOfKinds } from '../../support/crash-points.ts';
import { eachCall } from '../../support/each-call.ts';
import { HIGH, MARKET, openPersonal, putPerson, rowsOf, WALLET } from '../../support/open-personal.ts';
import { START } from '../../support/rows.ts';

/** What happens at one call of a store: the process dies before or after it, or the call fails before or after it is carried out. */
const ENDS = ['dies before', 'dies after', 'fails before', 'fails after'] as const;

/** Three alerts, of which two are in one thread, the exit of that, and the outcome of the market. */
async function fill({ alerts, exits, settlements, chat, ...database }: Database): Promise<void> {
  await putPerson(database, 'cus_rule', { follow: [HIGH], tier: 'pro' });
  await putPerson(database, 'cus_wallet', { follow: [WALLET, HIGH] });
  await putPerson(database, 'cus_market', { follow: [MARKET], platform: 'discord' });
  for (const of of ['alerts', 'exits', 'results'] as const) await chat.advance(`personal_${of}`, 0);
  const at = START + 1_000;
  await alerts.append(
    alertOf({ id: 1, score: 80 }),
    alertOf({ id: 2, score: 85, threadId: 1, supersedes: 1 }),
    alertOf({ id: 3, score: 20, wallet: '0xbb' }),
  );
  await exits.append(exitOf({ number: 1, alertIds: [1, 2], createdAt: at }));
  const counts = await alerts.resolveMarket('0xm1', () => ({ payout: 1, won: true, profitUsdc: 1 }));
  await settlements.put(settlementOf({ ...counts, log: { sequence: 0, hash: '', at } }));
}

/** Runs processes until one has done everything; something happens at the call of this number, from 0. */
async function run(database: Database, at: number, end: (typeof ENDS)[number] | null) {
  const names: string[] = [];
  let isDead = false;
  const fixture = await openPersonal(database, {
    wrap: (store) =>
      eachCall(store, async (call, name) => {
        if (isDead) throw new Error('killed');
        const isHit = names.push(name) - 1 === at && end !== null;
        if (isHit && end === 'dies before') isDead = true;
        if (isHit && end?.endsWith('before') === true) throw new Error(end);
        const answer = await call();
        if (isHit && end === 'dies after') isDead = true;
        if (isHit || isDead) throw new Error(end ?? 'killed');
        return answer;
      }),
  });
  for (let life = 0; life < 3; life += 1) {
    isDead = false;
    const personal = fixture.make();
    onTestFinished(() => personal.close());
    // A start that fails is tried again, as the bots are.
    const isStarted = await personal.start(3).then(
      () => true,
      () => false,
    );
    if (isStarted) await fixture.pass(8 * SECOND_MS);
    if (isStarted && !isDead) return names;
    const closing = personal.close();
    await fixture.pass(SECOND_MS);
    await closing;
  }
  throw new Error('not done after three lives');
}

async function told(database: Database) {
  const rows = await rowsOf(database);
  return rows
    .map(({ id, recipient, facts, dueAt, createdAt }) => ({ id, recipient, facts, dueAt, createdAt }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

onSqlite('a process that dies or loses an answer at any call of a store', (given) => {
  test('tells no one twice and skips no one: the messages are those of an undisturbed run', async () => {
    await fill(given.database);
    const kinds = await run(given.database, 0, null);
    const expected = await told(given.database);
    expect(expected.map(({ id }) => id)).toEqual([
      ...['personal:1@cus_market', 'personal:1@cus_rule', 'personal:1@cus_wallet'],
      ...['personal:2@cus_market', 'personal:2@cus_rule', 'personal:2@cus_wallet', 'personal:3@cus_market'],
      ...['pexit:1@cus_market', 'pexit:1@cus_rule', 'pexit:1@cus_wallet'],
      ...[
        'presult:1:1@cus_market',
        'presult:1:1@cus_rule',
        'presult:1:1@cus_wallet',
        'presult:3:1@cus_market',
      ],
    ]);

    const points = crashPointsOfKinds(given.database.kind, { kinds, sampled: 5 });
    for (const point of points)
      for (const end of ENDS) {
        const database = await given.fresh();
        await fill(database);
        await run(database, point, end);
        const where = `${end} call ${point}, ${kinds[point]}`;
        expect([where, await told(database)]).toEqual([where, expected]);
        for (const [cursor, last] of [
          ['alerts', 3],
          ['exits', 1],
          ['results', 1],
        ] as const)
          expect([where, await database.chat.cursor(`personal_${cursor}`)]).toEqual([where, last]);
      }
  }, 120_000);
});
