import type { Faults } from './faults.ts';
import type { TapeTrade } from './market-tape.ts';
import type { MarketView } from './market-view.ts';

type AnyRow = Readonly<Record<string, unknown>>;

const PROFILE = { name: '', pseudonym: 'Plain-Person', bio: '' };

/** A trade as Data API v1 and the live stream have it. */
export function rowV1(trade: TapeTrade): AnyRow {
  return { ...trade, icon: '', ...PROFILE, profileImage: '', profileImageOptimized: '' };
}

/** A trade as Data API v2 has it. */
export function rowV2(trade: TapeTrade): AnyRow {
  return {
    proxy_wallet: trade.proxyWallet,
    side: trade.side,
    token_id: trade.asset,
    condition_id: trade.conditionId,
    size: trade.size,
    price: trade.price,
    timestamp: trade.timestamp,
    title: trade.title,
    slug: trade.slug,
    icon: '',
    event_slug: trade.eventSlug,
    outcome: trade.outcome,
    outcome_index: trade.outcomeIndex,
    ...PROFILE,
    profile_image: '',
    profile_image_optimized: '',
    transaction_hash: trade.transactionHash,
  };
}

/** The rows of one page, with what goes wrong in them. */
export function pageRows(
  indices: readonly number[],
  { view, faults, toRow }: { view: MarketView; faults: Faults; toRow: (trade: TapeTrade) => AnyRow },
): readonly AnyRow[] {
  let listed = [...indices];
  if (listed.length > 0 && faults.strikes('repeat')) listed = repeated(listed, view, faults);
  if (faults.strikes('shuffle')) listed = shuffled(listed, faults);
  const rows = listed.map((index) => toRow(view.tape.trade(index)));
  if (rows.length === 0 || !faults.strikes('drop-field')) return rows;
  const hurt = Math.floor(faults.random() * rows.length);
  return rows.map((row, place) => (place === hurt ? without(row, faults) : row));
}

/** Some rows twice in the page, and the one just newer than the page, which the page before ended with. */
function repeated(listed: readonly number[], view: MarketView, faults: Faults): number[] {
  const newer = (listed[0] as number) + 1;
  const fromPageBefore = newer < view.tape.count && view.isVisible(newer) ? [newer] : [];
  const twice = Math.floor(faults.random() * listed.length);
  return [...fromPageBefore, ...listed.slice(0, twice + 1), ...listed.slice(twice)];
}

function shuffled(listed: readonly number[], faults: Faults): number[] {
  const mixed = [...listed];
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = Math.floor(faults.random() * (last + 1));
    [mixed[last], mixed[other]] = [mixed[other] as number, mixed[last] as number];
  }
  return mixed;
}

function without(row: AnyRow, faults: Faults): AnyRow {
  const names = Object.keys(row);
  const gone = names[Math.floor(faults.random() * names.length)];
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== gone));
}
