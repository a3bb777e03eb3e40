import { describe, expect, test } from 'vitest';
import { alertOf } from '../../support/alerts.ts';
import { personalOf } from '../../support/chat/messages.ts';
import { followOf, walletOf } from '../../support/followers.ts';
import { openChoices, said } from '../../support/personal-choices-fixture.ts';
import { START } from '../../support/rows.ts';

const toAnn = (alertId: number, given: Parameters<typeof personalOf>[2] = {}) =>
  personalOf(alertId, 'cus_a', given);

describe('what changed while an alert waited', () => {
  test('whoever follows a wallet that was hidden since is sent nothing about it', async () => {
    const { judge, database } = await openChoices();
    const { wallet } = walletOf(1);
    await database.hiddenWallets.add({ wallet, reason: 'a private person', at: 1 });

    expect((await judge(toAnn(1))).map(said)).toEqual(['drop: no longer followed']);
    await database.hiddenWallets.remove(wallet);
    expect((await judge(toAnn(2))).map(said)).toEqual(['send']);
  });

  test('who has given a rule another filter since is told of what that matches, and of nothing else', async () => {
    const politics = { kind: 'filter', filter: { category: 'politics' } } as const;
    const { judge, database, change } = await openChoices({
      follower: { follows: [followOf('a1', politics)] },
    });
    await database.alerts.append(alertOf({ id: 1, category: 'politics' }));
    await database.alerts.append(alertOf({ id: 2, category: 'politics', score: 90 }));
    expect((await judge(toAnn(1))).map(said)).toEqual(['send']);

    const best = { kind: 'filter', filter: { category: 'politics', minScore: 90 } } as const;
    await change({ follows: [followOf('a1', best, { mode: 'silent' })], changedAt: START + 1 });

    const verdicts = await judge(toAnn(1), toAnn(2));
    expect(verdicts.map(said)).toEqual(['drop: no longer followed', 'send']);
    expect(verdicts[1]).toMatchObject({ message: { facts: { isSilent: true, isFollow: false } } });
  });
});
