import { TIERS } from '../../../src/core/accounts/tier.ts';
import { percent } from '../../../src/core/base/text/formats.ts';
import { DAY_MS } from '../../../src/core/base/time/duration.ts';
import type { FollowCounts } from '../../../src/core/follow/follower.ts';
import type { Paragraph } from '../../shared/screen.ts';
import { type ConsoleCommand, screenOf } from '../command.ts';

export const statsCommand: ConsoleCommand = {
  usage: 'stats',
  description: 'Totals and today’s figures: customers, keys, follows, alerts, calls, messages',
  async run(_, { customers, database, alerts, clock }) {
    const now = clock.now();
    const dayStart = now - (now % DAY_MS);
    const day = new Date(now).toISOString().slice(0, 10);
    const [people, keys, followers, ledger, calls, webhooks, messages] = await Promise.all([
      customers.count(dayStart),
      database.operatorReads.keysByTier(now),
      database.followers.counts(),
      alerts.stats({ dayStart }),
      database.operatorReads.callsOn(day),
      database.operatorReads.webhookTotals(),
      database.chat.counts(now - DAY_MS),
    ]);
    const byTier = TIERS.map((tier) => `${tier} ${figure(keys[tier])}`).join(', ');
    const states = Object.entries(messages).filter(([, count]) => count > 0);
    const { totalResolved, totalWon } = ledger;
    const share = totalResolved === 0 ? '' : ` (${percent(totalWon / totalResolved)})`;
    return screenOf('stats', [
      [{ bold: `Figures of ${day}, UTC` }],
      [
        { bold: 'Customers' },
        ` ${figure(people.total)}, ${figure(people.new)} of them new today\n`,
        { bold: 'Keys' },
        ` that work: ${byTier}\n`,
        { bold: 'Calls' },
        ` today ${figure(calls)}`,
      ],
      followsParagraph(followers),
      [
        { bold: 'Alerts' },
        ` ${figure(ledger.totalAlerts)}, ${figure(ledger.alertsToday)} of them today (mean score `,
        `${Math.round(ledger.avgScoreToday)}, ${figure(ledger.clustersToday)} clusters)\n`,
        { bold: 'Settled' },
        ` ${figure(totalResolved)}, right ${figure(totalWon)}${share}`,
      ],
      [
        { bold: 'Webhooks' },
        ` ${figure(webhooks.webhooks)}, paused ${figure(webhooks.paused)}; delivered ${figure(webhooks.delivered)}, `,
        `failed ${figure(webhooks.failed)}, waiting ${figure(webhooks.waiting)}\n`,
        { bold: 'Chat messages of 24 h' },
        ` ${states.map(([state, count]) => `${state} ${figure(count)}`).join(', ') || 'none'}`,
      ],
    ]);
  },
};

function followsParagraph({ people, follows, platforms }: FollowCounts): Paragraph {
  const { wallet, market, filter } = follows;
  const byPlatform = Object.entries(platforms).map(([platform, count]) => `${platform} ${figure(count)}`);
  return [
    { bold: 'Follows' },
    ` wallets ${figure(wallet)}, markets ${figure(market)}, rules ${figure(filter)}\n`,
    { bold: 'Followers' },
    ` ${figure(people)}: ${byPlatform.join(', ')}`,
  ];
}

function figure(count: number): string {
  return count.toLocaleString('en-US');
}
