import { TIERS } from '../../../src/core/accounts/tier.ts';
import { DAY_MS } from '../../../src/core/base/time/duration.ts';
import { type ReadCommand, screenOf } from '../command.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { parseNoArgument } from '../parse-arguments.ts';

export const statsCommand: ReadCommand = {
  kind: 'read',
  name: 'stats',
  usage: 'stats',
  description: 'Totals and today’s figures: customers, keys, alerts, calls, messages',
  parse: (argument) => parseNoArgument(argument, show),
};

async function show({ customers, reads, alerts, posts, clock }: ConsoleDeps) {
  const now = clock.now();
  const dayStart = now - (now % DAY_MS);
  const day = new Date(now).toISOString().slice(0, 10);
  const [people, keys, ledger, calls, webhooks, messages] = await Promise.all([
    customers.count(dayStart),
    reads.keysByTier(now),
    alerts.stats({ dayStart }),
    reads.callsOn(day),
    reads.webhookTotals(),
    posts.counts(),
  ]);
  const byTier = TIERS.map((tier) => `${tier} ${text(keys[tier])}`).join(', ');
  const states = Object.entries(messages).filter(([, count]) => count > 0);
  return screenOf('stats', [
    [{ bold: `Figures of ${day}, UTC` }],
    [
      { bold: 'Customers' },
      ` ${text(people.total)}, ${text(people.new)} of them new today\n`,
      { bold: 'Keys' },
      ` that work: ${byTier}\n`,
      { bold: 'Calls' },
      ` today ${text(calls)}`,
    ],
    [
      { bold: 'Alerts' },
      ` ${text(ledger.totalAlerts)}, ${text(ledger.alertsToday)} of them today (mean score `,
      `${Math.round(ledger.avgScoreToday)}, ${text(ledger.clustersToday)} clusters)\n`,
      { bold: 'Settled' },
      ` ${text(ledger.totalResolved)}, right ${text(ledger.totalWon)}${share(ledger)}`,
    ],
    [
      { bold: 'Webhooks' },
      ` ${text(webhooks.webhooks)}, paused ${text(webhooks.paused)}; delivered ${text(webhooks.delivered)}, `,
      `failed ${text(webhooks.failed)}, waiting ${text(webhooks.waiting)}\n`,
      { bold: 'Chat messages' },
      ` ${states.length === 0 ? 'none' : states.map(([state, count]) => `${state} ${text(count)}`).join(', ')}`,
    ],
  ]);
}

function share({ totalResolved, totalWon }: { totalResolved: number; totalWon: number }): string {
  return totalResolved === 0 ? '' : ` (${((totalWon / totalResolved) * 100).toFixed(1)} %)`;
}

function text(count: number): string {
  return count.toLocaleString('en-US');
}
