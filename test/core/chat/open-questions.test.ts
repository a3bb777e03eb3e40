import { expect, test } from 'vitest';
import { onSqlite } from '../../infra/database/each-database.ts';
import { START } from '../../support/rows.ts';

const ANN = { platform: 'telegram', userId: '7' } as const;
const ALSO_SEVEN = { platform: 'discord', userId: '7' } as const;
const QUESTION = { ...ANN, action: 'link_with', expiresAt: START + 10 };

onSqlite('questions asked in chat', (fixture) => {
  test('a question is that of one person on one platform, and goes when it is answered or expired', async () => {
    const { questions } = fixture.database;
    for (const person of [ANN, ALSO_SEVEN]) await questions.put({ ...QUESTION, ...person });
    await questions.remove(ALSO_SEVEN);
    await questions.put({ ...QUESTION, userId: '8', expiresAt: START + 11 });

    expect(await questions.get(ALSO_SEVEN)).toBeNull();
    expect(await questions.get(ANN)).toMatchObject(QUESTION);
    expect(await questions.prune(START + 10)).toBe(1);
    expect([await questions.get(ANN), await questions.get({ ...ANN, userId: '8' })]).toMatchObject([
      null,
      {},
    ]);
  });
});
