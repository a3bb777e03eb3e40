import type { Alert } from '../alerts/alert.ts';
import { betOf, isRight, putInOf } from '../alerts/bet.ts';
import type { Exit } from '../alerts/exits/exit.ts';
import type { Exits } from '../alerts/exits/exits.ts';
import { newestOfThreads } from '../alerts/ledger/thread.ts';
import type { LogStore } from '../alerts/log/log-store.ts';
import type { MarketSettlement } from '../alerts/settlement.ts';
import { SETTLEMENT_LIMITS, type SettlementReader } from '../alerts/settlements/settlement-reader.ts';
import { allPages } from '../base/async/paged.ts';
import { rounded } from '../base/rounded.ts';
import type { EpochMs } from '../base/time/duration.ts';
import type { DigestChanges } from './digest-facts.ts';

/** Results and exits that are named: more than fit into a message. */
const NAMED_MAX = 100;
const PAGE_SIZE = 500;

/** Dependencies of `changesBetween`. */
export interface DigestChangesDeps {
  readonly settlements: Pick<SettlementReader, 'sequence' | 'range' | 'withAlerts'>;
  readonly exits: Pick<Exits, 'after' | 'last' | 'ofThreads'>;
  readonly log: Pick<LogStore, 'headAt'>;
}

/** A time, both ends included. */
interface Period {
  readonly since: EpochMs;
  readonly until: EpochMs;
}

/** What was settled and sold in a period, for alerts published until its end, without the history. */
export async function changesBetween(deps: DigestChangesDeps, period: Period): Promise<DigestChanges> {
  const [settled, exits] = await Promise.all([settledIn(deps, period), exitsIn(deps, period)]);
  const threadIds = settled.map(({ alert }) => alert.threadId);
  const left = await deps.exits.ofThreads(threadIds, period.until);
  const exitOf = new Map(left.map((exit) => [exit.threadId, exit]));
  const results = settled.map(({ alert }) => betOf(alert, exitOf.get(alert.threadId)).resultUsdc ?? 0);
  const profit = results.reduce((sum, usdc) => sum + usdc, 0);
  const won = settled.filter(({ alert }) => isRight(alert)).length;
  return {
    won,
    lost: settled.length - won,
    profitUsdc: rounded(profit, 2),
    settled: settled.slice(0, NAMED_MAX).map(({ alert, winner }) => ({ alertId: alert.id, winner })),
    exits: exits.slice(0, NAMED_MAX).map(({ number }) => number),
    moreExits: Math.max(0, exits.length - NAMED_MAX),
  };
}

/** The newest alert of each thread that was settled, the highest score first. A market counts by its last result. */
async function settledIn({ settlements, log }: DigestChangesDeps, { since, until }: Period) {
  await settlements.sequence.refresh();
  const numberAt = async (at: EpochMs) => settlements.sequence.upTo((await log.headAt(at))?.seq ?? 0);
  const last = await numberAt(until);
  const byMarket = new Map<string, { readonly alert: Alert; readonly winner: string | null }[]>();
  for (let next = (await numberAt(since - 1)) + 1; next <= last; ) {
    const page = await settlements.range(next, Math.min(last, next + SETTLEMENT_LIMITS.pageSize - 1));
    for (const { settlement, alerts, hasMore } of page) {
      const all = hasMore ? await alertsOf(settlements, settlement) : alerts;
      const shown = all.filter(({ isHistory, resolution }) => !isHistory && resolution !== null);
      const winner = settlement.outcomes[settlement.payouts.indexOf(1)] ?? null;
      byMarket.set(
        settlement.marketId,
        newestOfThreads(shown).map((alert) => ({ alert, winner })),
      );
    }
    // A page has at least one settlement.
    next += Math.max(1, page.length);
  }
  return [...byMarket.values()]
    .flat()
    .toSorted(({ alert: a }, { alert: b }) => b.score - a.score || putInOf(b) - putInOf(a) || a.id - b.id);
}

function alertsOf(
  settlements: DigestChangesDeps['settlements'],
  settlement: MarketSettlement,
): Promise<readonly Alert[]> {
  const page = async (last?: Alert) =>
    (await settlements.withAlerts(settlement, { limit: PAGE_SIZE, ...(last && { afterAlert: last.id }) }))
      .alerts;
  return allPages<Alert>(page, PAGE_SIZE);
}

/** The largest profit or loss first. */
async function exitsIn({ exits }: DigestChangesDeps, { since, until }: Period): Promise<readonly Exit[]> {
  const before = await exits.last(since - 1);
  const page = (last?: Exit) => exits.after(last?.number ?? before, PAGE_SIZE, { until });
  const found = await allPages<Exit>(page, PAGE_SIZE);
  const size = ({ profitUsdc }: Exit) => Math.abs(profitUsdc ?? 0);
  return found
    .filter(({ isHistory }) => !isHistory)
    .toSorted((a, b) => size(b) - size(a) || a.number - b.number);
}
