import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { toMessage } from '../../../bots/discord/screen-message.ts';
import { plainText, type Screen } from '../../../bots/shared/screen.ts';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import type { ChatFacts, PersonalAlertMessage } from '../../../src/core/chat/chat-message.ts';
import { exitOf } from '../../support/alerts.ts';
import { personalOf } from '../../support/chat/messages.ts';
import { MARKET, NOW, PLAIN, type Reads, shown, text } from './presenter-fixture.ts';

const SITE = 'https://tipoff.example.com';
const WALLET = '0x00000000000000000000000000000000000000aa';
const PROFILE = `https://polymarket.com/profile/${WALLET}`;
const FACTS = personalOf(1, 'cus_a', { score: 72, followNames: ['Whale'] }).facts;
const SUBJECT = {
  ...{ alertId: 1, threadId: 1, marketId: '0xm1', alertMessageId: 'personal:1@cus_a' },
  ...{ wallet: WALLET, followIds: [] },
  platform: 'telegram',
  isRealtime: true,
} as const;
const TIMING = { factor: 'timing', points: 11, max: 15, note: "79% of the market's day volume" } as const;
const ALERT = { ...PLAIN, details: { ...PLAIN.details, reasons: [...PLAIN.details.reasons, TIMING] } };
const WON = { payout: 1, won: true, profitUsdc: 86_382.8 };
const LOST = { payout: 0, won: false, profitUsdc: -12_340.4 };

const FULL = `72 · $12,340 on Yes at 12.5¢ to win $86,383
Will the measure pass? (${MARKET})
79% of the market's day volume
Wallet 0x0000…00aa (${PROFILE}), 1 day old
Your follow: Whale`;

function sentBefore(facts: Partial<ChatFacts['personal_alert']>, id = 9): PersonalAlertMessage {
  const state = { state: 'sent', attempts: 1, error: null, place: '7', unsureSince: null } as const;
  return { ...personalOf(id, 'cus_a', facts), ...state, sentAt: NOW - HOUR_MS };
}

const alertText = (given: Partial<ChatFacts['personal_alert']> = {}, reads?: Reads, alert: Alert = ALERT) =>
  text('personal_alert', { ...FACTS, ...given }, [alert], reads);
const labels = (screen: Screen | null) =>
  screen?.buttons.map((row) =>
    row.map((button) => [button.label, 'url' in button ? button.url : button.action]),
  );

describe('an alert for one person', () => {
  test('has the price now beside the market while it is open, and no more once the result is marked', async () => {
    const priced = { priceNow: 0.34 };
    const resolution = { outcome: 'Yes', payout: 1, won: true, profitUsdc: 14_000, resolvedAt: NOW };
    const settled = { ...ALERT, resolution };

    expect(await alertText({}, priced)).toContain(`\nWill the measure pass? (${MARKET}) · now 34¢\n`);
    expect(await alertText({}, { ...priced, sent: [sentBefore({ marketId: '0xm2' })] })).toMatch(
      / · now 34¢$/,
    );
    expect(await alertText({}, priced, settled)).not.toContain('now');
  });

  test('names three of the follows that matched, and counts the rest', async () => {
    const names = (followNames: string[]) =>
      alertText({ followNames }).then((words) => words?.split('\n').at(-1));

    expect(await names(['A', 'B'])).toBe('Your follows: A, B');
    expect(await names(['A', 'B', 'C', 'D', 'E'])).toBe('Your follows: A, B, C and 2 more');
    expect(await names(['x'.repeat(99)])).toHaveLength('Your follow: '.length + 40);
    expect(await names(['two\nlines'])).toBe('Your follow: two lines');
  });

  test('of a cluster names its last wallet, of a hidden wallet no address and none of what the person calls it', async () => {
    const cluster = { ...ALERT, type: 'cluster' } as const;
    const hidden = { hiddenWallets: [ALERT.wallet] };

    expect(await alertText({}, {}, cluster)).toContain(`\nLast wallet 0x0000…00aa (${PROFILE}), 1 day old\n`);
    expect(await alertText({}, hidden)).toMatch(/\nA hidden wallet, 1 day old$/);
    expect(await alertText({}, hidden, cluster)).toMatch(/\nLast wallet hidden, 1 day old$/);
    await expect(alertText({}, { hiddenWallets: null })).rejects.toThrow('the database is away');
  });

  test('is one line when the same wallet or market was told to them before, and only then', async () => {
    const line = `72 · $12,340 on Yes at 12.5¢ to win $86,383 · Will the measure pass? (${MARKET})`;

    expect(await alertText({}, { sent: [sentBefore({ marketId: '0xm2' })] })).toBe(line);
    expect(await alertText({}, { sent: [sentBefore({ wallet: '0xbb' })] })).toBe(line);
    const other = sentBefore({ marketId: '0xm2', wallet: '0xbb' });
    expect(await alertText({}, { sent: [other] })).toBe(FULL);
    expect(await alertText({}, { sent: [] })).toBe(FULL);
  });

  test('leads to its page once everybody can open it, before that to Polymarket', async () => {
    const look = async (age: number) => {
      const alert = { ...ALERT, createdAt: NOW - age };
      return labels(await shown('personal_alert', FACTS, [alert], { siteUrl: SITE }))?.[0]?.[1];
    };

    expect(await look(5 * MINUTE_MS)).toStrictEqual(['Page', `${SITE}/alerts/1`]);
    expect(await look(5 * MINUTE_MS - 1)).toStrictEqual(['Polymarket', MARKET]);
  });

  test('of a cluster or a hidden wallet offers the market, as its wallet is not the point or cannot be followed', async () => {
    const cluster = await shown('personal_alert', FACTS, [{ ...ALERT, type: 'cluster' }]);
    const hidden = await shown('personal_alert', FACTS, [ALERT], { hiddenWallets: [ALERT.wallet] });
    for (const screen of [cluster, hidden])
      expect(labels(screen)?.[1]?.[0]).toStrictEqual(['Follow market', 'fm:1']);
  });

  test('rings unless it was decided at sending that it does not', async () => {
    expect((await shown('personal_alert', FACTS, [ALERT]))?.isSilent).not.toBe(true);
    expect((await shown('personal_alert', { ...FACTS, isSilent: true }, [ALERT]))?.isSilent).toBe(true);
  });

  test('is not made when its alert is not there', async () => {
    expect(await alertText({ alertId: 9 })).toBeNull();
  });
});

describe('a notification of an alert', () => {
  const longest = {
    ...{ outcome: 'W'.repeat(200), eventTitle: 'M'.repeat(500), score: 100 },
    ...{ type: 'cluster' as const, usdc: 1_234_567, entryPrice: 0.999 },
    details: { ...ALERT.details, toWinUsdc: 1_234_567, clusterTotal: 1_234_567, clusterAvgPrice: 0.555 },
  } as const;

  test('shows score, dollars, outcome, price, what it wins and the beginning of the market in 100 characters', async () => {
    const wallets = Array.from({ length: 12 }, (_, index) => `0x${index}`);
    const alert: Alert = { ...ALERT, ...longest, details: { ...longest.details, wallets } };
    const start = (await alertText({}, {}, alert))?.slice(0, 100);

    expect(start).toMatch(/^100 · 12 wallets, \$1,234,567 on W{23}… at 55.5¢ to win \$1,234,567\nM{16}/);
  });

  test('is of a message that is whole on Discord with the longest reasons, names and addresses', async () => {
    const reasons = ALERT.details.reasons.map((reason) => ({ ...reason, note: `*${'_'.repeat(60)}` }));
    const alert = {
      ...{ ...ALERT, ...longest, eventSlug: 's'.repeat(300), eventTitle: '_*'.repeat(300) },
      details: { ...longest.details, reasons: [...reasons, ...reasons, ...reasons] },
    };
    const followNames = Array.from({ length: 50 }, () => '_*'.repeat(50));
    for (const kind of ['personal_alert', 'personal_mark'] as const) {
      const facts = { ...FACTS, ...SUBJECT, followNames, seq: 1 };
      const sent = [sentBefore({ ...facts, wallet: '0x' }, 1)];
      const screen = await shown(
        kind,
        facts,
        [{ ...alert, resolution: WON }],
        kind === 'personal_mark' ? { sent } : {},
      );
      const { content } = toMessage(screen as Screen);
      expect(content).toMatch(/ and 47 more$/);
      expect(content.length).toBeLessThan(2_000);
    }
  });

  test('of alerts of the tape begins the market within 70 characters, in both forms', async () => {
    const tape = JSON.parse(await readFile('test/fixtures/midterms-alerts.json', 'utf8')) as Alert[];
    for (const alert of tape)
      for (const sent of [[], [sentBefore({})]]) {
        const words = await alertText({ alertId: alert.id }, { sent }, alert);
        expect(words?.indexOf('US Senate control after')).toBeLessThan(70);
      }
  });
});

describe('the mark of a result', () => {
  const mark = (resolution: Alert['resolution'], reads: Reads = { sent: [sentBefore(FACTS, 1)] }) =>
    shown('personal_mark', { ...SUBJECT, seq: 1 }, [{ ...ALERT, resolution }], reads);

  test('keeps the form and the names that were sent', async () => {
    const sent = [sentBefore({ ...FACTS, followNames: ['Then'] }, 1)];
    expect(plainText((await mark(WON, { sent })) as Screen)).toMatch(/\nYour follow: Then$/);
    const [told, other] = [sentBefore(FACTS, 1), sentBefore({}, 8)];
    const beside = async (sentAt: number) =>
      plainText((await mark(WON, { sent: [told, { ...other, sentAt }] })) as Screen);
    expect(await beside(NOW - HOUR_MS)).toBe(`✅ ${FULL}`);
    expect(await beside(NOW - HOUR_MS - 1)).toBe(
      `✅ 72 · $12,340 on Yes at 12.5¢ to win $86,383 · Will the measure pass? (${MARKET})`,
    );
  });

  test('is not made where nothing was sent', async () => {
    expect(await mark(WON, { sent: [] })).toBeNull();
  });
});

describe('news of what a person was told', () => {
  test('of a sale say what was sold, and do not ring', async () => {
    const exit = exitOf({ number: 3 });
    const screen = await shown('personal_exit', { ...SUBJECT, exit: 3 }, [ALERT], { exit });
    expect(plainText(screen as Screen)).toMatch(/^Sold 60% at 71¢ after 3 h: \+\$7,680\n/);
    expect(screen?.isSilent).toBe(true);
  });

  test.each([
    [WON, '✅ Won $86,383'],
    [LOST, '❌ Lost $12,340'],
    [{ payout: 0.5, won: true, profitUsdc: 37_021.2 }, '✅ Won $37,021, settled at 50¢ a share'],
  ])('of a result %o begin with %s', async (resolution, line) => {
    const screen = await shown('personal_result', { ...SUBJECT, seq: 1 }, [{ ...ALERT, resolution }]);

    expect(plainText(screen as Screen)).toBe(
      `${line}\nWill the measure pass? (${MARKET})\n$12,340 on Yes at 12.5¢ to win $86,383`,
    );
    expect(screen?.isSilent).toBe(true);
  });

  test('of a result after a sale say what was sold, then what became of the rest', async () => {
    const exit = exitOf({ number: 3 });
    const result = await text('personal_result', { ...SUBJECT, seq: 1 }, [{ ...ALERT, resolution: WON }], {
      exit,
    });
    expect(result).toMatch(/^✅ Sold 60% at 71¢; won \$34,553 on the 40% held\n/);
  });

  test('of a result that was told otherwise before say that it is corrected', async () => {
    const facts = { ...SUBJECT, seq: 2 };
    const result = (resultsBefore: number) =>
      text('personal_result', facts, [{ ...ALERT, resolution: LOST }], { resultsBefore });

    expect(await result(1)).toMatch(/^❌ Corrected: lost \$12,340\n/);
    expect(await result(0)).toMatch(/^❌ Lost \$12,340\n/);
  });

  test('do not exist for a market that is open again', async () => {
    expect(await text('personal_result', { ...SUBJECT, seq: 1 }, [ALERT])).toBeNull();
  });
});

test.each([
  [
    NOW + 3 * HOUR_MS,
    'UTC',
    true,
    'at 23:15 UTC. Alerts of the wallets and markets that you follow still come.',
  ],
  [NOW + 23 * HOUR_MS, 'America/Chicago', false, 'at 13:15 tomorrow.'],
])(
  'the limit of a day says when the rest comes, by the person’s clock (%#)',
  async (listAt, zone, hasMore, words) => {
    const facts = { platform: 'telegram', isRealtime: true, listAt, zone, hasMore } as const;
    expect(await text('personal_limit', facts)).toBe(
      `That’s today’s limit. The rest come as one list ${words}`,
    );
  },
);
