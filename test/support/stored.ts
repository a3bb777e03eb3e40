import type { Alert } from '../../src/core/alerts/alert.ts';
import { alertDraft } from '../../src/core/alerts/alert-entry.ts';
import { type Exit, exitDraft } from '../../src/core/alerts/exits/exit.ts';
import { settlementDraft } from '../../src/core/alerts/ledger/log-drafts.ts';
import type { LogDraft } from '../../src/core/alerts/log/log-entry.ts';
import { LogWriter } from '../../src/core/alerts/log/log-writer.ts';
import type { MarketSettlement } from '../../src/core/alerts/settlement.ts';
import { enterWithdrawal } from '../../src/core/alerts/withdrawal.ts';
import type { Database } from '../../src/core/database.ts';
import { sha256 } from '../../src/infra/secrets/key-crypto.ts';
import { settlementOf } from './alerts.ts';

type Stores = Pick<Database, 'log' | 'settlements'>;

/** Enters what is given in the log, in one write. */
export async function enter({ log }: Pick<Stores, 'log'>, drafts: readonly LogDraft[]): Promise<void> {
  const writer = new LogWriter({ log, sha256 });
  await writer.open();
  await writer.append(drafts);
}

/** Enters the settlement of a market in the log, as the ledger does. */
export async function settleMarket(
  stores: Stores,
  given: Partial<Omit<MarketSettlement, 'log'>> = {},
): Promise<MarketSettlement> {
  const { settlements } = stores;
  const settlement = settlementOf(given);
  const before = await settlements.ofMarket(settlement.marketId);
  await enter(stores, [settlementDraft(settlement, settlement.at, before)]);
  return (await settlements.ofMarket(settlement.marketId)) as MarketSettlement;
}

/**
 * Enters alerts in the log, as the ledger does, and what became of them: the markets of those with a result are settled accordingly, in
 * two outcomes without names, and those with a mark are withdrawn.
 */
export async function storeAlerts(stores: Stores, ...alerts: readonly Alert[]): Promise<void> {
  await enter(stores, alerts.map(alertDraft));
  const settled = new Map(alerts.map(({ marketId, ...alert }) => [marketId, alert]));
  for (const [marketId, { resolution, outcomeIndex }] of settled) {
    if (resolution === null) continue;
    const { payout } = resolution;
    const payouts = outcomeIndex === 0 ? [payout, 1 - payout] : [1 - payout, payout];
    await settleMarket(stores, { marketId, outcomes: [], payouts });
  }
  for (const { id: alertId, withdrawn } of alerts)
    if (withdrawn !== null) await enterWithdrawal({ ...stores, sha256 }, { alertId, ...withdrawn });
}

/** Enters exits in the log, as their ledger does. */
export function storeExits(stores: Pick<Stores, 'log'>, ...exits: readonly Exit[]): Promise<void> {
  return enter(stores, exits.map(exitDraft));
}
