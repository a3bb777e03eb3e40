import type { Alert } from '../../../src/core/alerts/alert.ts';
import { resolutionOf, type Settlement } from '../../../src/core/alerts/settlement.ts';
import type { Candidate } from '../../../src/core/detection/candidate.ts';
import { Detector } from '../../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import { parseRow } from '../../../src/infra/market/tapes/row-schema.ts';
import { closeRow } from '../rows.ts';
import { gammaRow } from './gamma.ts';
import type { MarketTape, TapeMarket } from './market-tape.ts';

type AnyRow = Readonly<Record<string, unknown>>;

/** What an alert says, without its number and its clocks. */
export type AlertFacts = Candidate & Pick<Alert, 'resolution'>;

/**
 * The tape as a live source would know it: partial, each wallet's facts before its first trade, and markets as Gamma
 * states them.
 */
export function* liveFormOf(tape: MarketTape): Iterable<AnyRow> {
  const met = new Set<string>();
  let market = 0;
  for (let index = 0; index < tape.count; index++) {
    const trade = tape.trade(index);
    for (; (tape.markets[market]?.at ?? Number.POSITIVE_INFINITY) <= trade.timestamp; market++)
      yield gammaRow(tape.markets[market] as TapeMarket);
    if (!met.has(trade.proxyWallet)) {
      met.add(trade.proxyWallet);
      yield {
        proxyWallet: trade.proxyWallet,
        createdAt:
          tape.wallets.get(trade.proxyWallet)?.createdAt ?? new Date(trade.timestamp * 1_000).toISOString(),
        traded: 0,
      };
    }
    yield { ...trade };
  }
  for (; market < tape.markets.length; market++) yield gammaRow(tape.markets[market] as TapeMarket);
}

/** The alerts of a tape's rows judged one after the other, by their keys. */
export function judgeDirectly(
  rows: Iterable<AnyRow>,
  { isComplete }: { isComplete: boolean },
): ReadonlyMap<string, AlertFacts> {
  const detector = new Detector(DEFAULT_RULES, { isComplete });
  const found: Candidate[] = [];
  const settlements = new Map<string, Settlement>();
  for (const raw of rows) {
    const row = parseRow(raw, Date.now());
    if (row.kind === 'bad') throw new Error(`bad row: ${row.reason} ${row.detail}`);
    found.push(...detector.judge(row).candidates);
    if (row.kind === 'market' && row.market.payouts !== null)
      settlements.set(row.market.id, { outcomes: row.market.outcomes, payouts: row.market.payouts });
  }
  found.push(...detector.judge(closeRow()).candidates);
  const resolved = (candidate: Candidate) => {
    const settlement = settlements.get(candidate.marketId);
    return settlement === undefined ? null : resolutionOf(candidate, settlement);
  };
  return new Map(
    found.map((candidate) => [candidate.key, withoutRole({ ...candidate, resolution: resolved(candidate) })]),
  );
}

/** Only some of the sources know it. */
function withoutRole(facts: AlertFacts): AlertFacts {
  return { ...facts, details: { ...facts.details, role: null } };
}

/**
 * A ledger's alerts by their keys, without what differs from run to run: ids, when they were found, their
 * entries in the log; nor the role of the wallet.
 */
export function factsOf(alerts: readonly Alert[]): ReadonlyMap<string, AlertFacts> {
  const bare = (alert: Alert) => {
    const { id, threadId, supersedes, detectedAt, publishedAt, createdAt, ...rest } = alert;
    const { isHistory, log, withdrawn, ...facts } = rest;
    return withoutRole(facts);
  };
  return new Map(alerts.map((alert) => [alert.key, bare(alert)]));
}

/** The same for an alert whatever was known of the markets that its wallet traded; null for none. */
export function withoutMarkets(facts: AlertFacts | undefined): unknown {
  if (facts === undefined) return null;
  const reasons = facts.details.reasons.filter(({ factor }) => factor !== 'markets');
  // Whether the position is known follows from the count of markets, too.
  return { ...facts, score: null, details: { ...facts.details, reasons, isPositionKnown: null } };
}
