import { describe, expect, test } from 'vitest';
import { toMessage } from '../../../bots/discord/screen-message.ts';
import { plainText, type Screen } from '../../../bots/shared/screen.ts';
import { toParts } from '../../../bots/telegram/render.ts';
import { alertOf } from '../../support/alerts.ts';
import { MARKET, PLAIN, shown, text } from './presenter-fixture.ts';

const WON = { payout: 1, won: true, profitUsdc: 86_382.8 };

describe('a person’s list', () => {
  const list = { platform: 'telegram', isRealtime: true, occasion: 'evening' } as const;
  const held = (alerts: readonly number[], more = 0, unsure: readonly number[] = []) => ({
    listed: { alerts: alerts.map((alertId) => ({ alertId, isUnsure: unsure.includes(alertId) })), more },
  });
  const alerts = [1, 2, 3].map((id) => ({ ...PLAIN, id, score: 90 - id }));

  test('lists what was held back in its order, with results, and says what may have arrived already', async () => {
    const all = alerts.map((alert) => (alert.id === 2 ? { ...alert, resolution: WON } : alert));
    expect(await text('personal_list', { ...list, ...held([1, 2, 3], 4, [3]) }, all)).toBe(
      `This evening’s list
7 alerts, best first.

89 · $12,340 on Yes at 12.5¢ to win $86,383
Will the measure pass? (${MARKET})
Alert 1

88 · $12,340 on Yes at 12.5¢ to win $86,383
Will the measure pass? (${MARKET})
Alert 2 · ✅ won $86,383

87 · $12,340 on Yes at 12.5¢ to win $86,383
Will the measure pass? (${MARKET})
Alert 3 · may already have been sent

… and 4 more`,
    );
  });

  test('after quiet hours says so', async () => {
    const words = await text('personal_list', { ...list, occasion: 'quiet', ...held([1]) }, alerts);
    expect(words).toMatch(/^While it was quiet\n1 alert\.\n\n89 · /);
  });

  test.each(['telegram', 'discord', 'terminal'] as const)(
    'on %s fits one message whole, and counts what does not fit',
    async (platform) => {
      const many = Array.from({ length: 100 }, (_, index) =>
        alertOf({ id: index + 1, eventTitle: '_*'.repeat(70) }),
      );
      const facts = {
        ...list,
        platform,
        ...held(
          many.map(({ id }) => id),
          5,
        ),
      };
      const screen = (await shown('personal_list', facts, many)) as Screen;

      expect(toParts(screen.body)).toHaveLength(1);
      const entries = plainText(screen).match(/^Alert \d+$/gm)?.length ?? 0;
      expect(entries).toBeGreaterThan(3);
      expect(plainText(screen)).toMatch(new RegExp(`… and ${105 - entries} more$`));
      if (platform === 'discord') expect(toMessage(screen).content).toMatch(/… and \d+ more$/);
    },
  );

  test('is not made without an alert', async () => {
    expect(await text('personal_list', list)).toBeNull();
    expect(await text('personal_list', { ...list, ...held([99]) }, alerts)).toBeNull();
  });
});
