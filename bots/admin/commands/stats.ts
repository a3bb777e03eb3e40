import { TIERS } from '../../../src/core/accounts/tier.ts';
import { grouped, percent } from '../../../src/core/base/text/formats.ts';
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
    const [people, keys, followers, ledger, calls, webhooks, waiting, messages] = await Promise.all([
      customers.count(dayStart),
      database.keys.countByTier(now),
      database.followers.counts(),
      alerts.stats({ dayStart }),
      database.usage.callsOn(day),
      database.webhooks.totals(),
      database.deliveries.countPending(),
      database.chat.counts(now - DAY_MS),
    ]);
    const byTier = TIERS.map((tier) => `${tier} ${grouped(keys[tier])}`).join(', ');
    const states = Object.entries(messages).filter(([, count]) => count > 0);
    const { totalResolved, totalWon } = ledger;
    const share = totalResolved === 0 ? '' : ` (${percent(totalWon / totalResolved)})`;
    return screenOf('stats', [
      [{ bold: `Figures of ${day}, UTC` }],
      [
        { bold: 'Customers' },
        ` ${grouped(people.total)}, ${grouped(people.new)} of them new today\n`,
        { bold: 'Keys' },
        ` that work: ${byTier}\n`,
        { bold: 'Calls' },
        ` today ${grouped(calls)}`,
      ],
      followsParagraph(followers),
      [
        { bold: 'Alerts' },
        ` ${grouped(ledger.totalAlerts)}, ${grouped(ledger.alertsToday)} of them today (mean score `,
        `${Math.round(ledger.avgScoreToday)}, ${grouped(ledger.clustersToday)} clusters)\n`,
        { bold: 'Settled' },
        ` ${grouped(totalResolved)}, right ${grouped(totalWon)}${share}`,
      ],
      [
        { bold: 'Webhooks' },
        ` ${grouped(webhooks.webhooks)}, paused ${grouped(webhooks.paused)}; delivered ${grouped(webhooks.delivered)}, `,
        `failed ${grouped(webhooks.failed)}, waiting ${grouped(waiting)}\n`,
        { bold: 'Chat messages of 24 h' },
        ` ${states.map(([state, count]) => `${state} ${grouped(count)}`).join(', ') || 'none'}`,
      ],
    ]);
  },
};

function followsParagraph({ people, follows, platforms }: FollowCounts): Paragraph {
  const { wallet, market, filter } = follows;
  const byPlatform = Object.entries(platforms).map(([platform, count]) => `${platform} ${grouped(count)}`);
  return [
    { bold: 'Follows' },
    ` wallets ${grouped(wallet)}, markets ${grouped(market)}, rules ${grouped(filter)}\n`,
    { bold: 'Followers' },
    ` ${grouped(people)}: ${byPlatform.join(', ')}`,
  ];
}
