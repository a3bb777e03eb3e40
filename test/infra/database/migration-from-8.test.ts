import { expect, test } from 'vitest';
import { alertOf } from '../../support/alerts.ts';
import { START } from '../../support/rows.ts';
import { onEachDatabase } from './each-database.ts';
import { bringBackToEighth } from './version-8.ts';

const ALERTS = [alertOf({ id: 1 })];

onEachDatabase('a database of version 8', (fixture) => {
  test('is brought forward: no message shows a key that would be removed, and no question is open', async () => {
    const { database, url } = fixture;
    for (const alert of ALERTS) await database.alerts.append(alert);
    await database.close();
    await bringBackToEighth(url);

    const { alerts, keyMessages, questions } = await fixture.another();

    expect(await alerts.after(0, 10)).toStrictEqual(ALERTS);
    expect(await keyMessages.next('telegram', 1)).toEqual([]);
    expect(await questions.get({ platform: 'telegram', userId: '7' })).toBeNull();
    await questions.put({ platform: 'telegram', userId: '7', action: 'link_with', expiresAt: START });
    expect(await questions.get({ platform: 'telegram', userId: '7' })).toMatchObject({ action: 'link_with' });
  });
});
