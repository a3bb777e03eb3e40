import { expect, test } from 'vitest';
import { START } from '../../support/rows.ts';
import { onEachDatabase } from './each-database.ts';

const ANN = { platform: 'telegram', userId: '7' } as const;
const ALSO_SEVEN = { platform: 'discord', userId: '7' } as const;
const QUESTION = { ...ANN, action: 'link_with', expiresAt: START + 10 };

onEachDatabase('store of questions asked in chat', (fixture) => {
  test('a person has the last question that they were asked, until it is removed', async () => {
    const { questions } = fixture.database;
    expect(await questions.get(ANN)).toBeNull();

    await questions.put(QUESTION);
    await questions.put({ ...QUESTION, action: 'rename_to:key_a' });

    expect(await questions.get(ANN)).toStrictEqual({ ...QUESTION, action: 'rename_to:key_a' });
    expect(await questions.get(ALSO_SEVEN)).toBeNull();
    await questions.remove(ALSO_SEVEN);
    expect(await questions.get(ANN)).not.toBeNull();
    await questions.remove(ANN);
    expect(await questions.get(ANN)).toBeNull();
  });

  test('those that expired are removed together, and counted', async () => {
    const { questions } = fixture.database;
    await questions.put(QUESTION);
    await questions.put({ ...QUESTION, ...ALSO_SEVEN, expiresAt: START + 11 });

    expect(await questions.prune(START + 10)).toBe(1);
    expect([await questions.get(ANN), await questions.get(ALSO_SEVEN)]).toMatchObject([
      null,
      { action: 'link_with' },
    ]);
  });
});
