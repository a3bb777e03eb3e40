import type { RouteDeps } from './answer.ts';
import type { Faults } from './faults.ts';
import { fixedShare } from './fixed-share.ts';
import type { TapeTrade } from './market-tape.ts';
import type { MarketView } from './market-view.ts';

type AnyRow = Readonly<Record<string, unknown>>;
type ToRow = (index: number) => AnyRow;

const PROFILE = {
  ...{ name: '', pseudonym: 'Plain-Person', bio: '' },
  ...{ profile_image: '', profile_image_optimized: '' },
};

/** A wallet's rows are labelled some time after they are listed. */
const UNLABELLED_MS = 60_000;
const UNKNOWN_INDEX = 999;

type RowDeps = Pick<RouteDeps, 'view' | 'profile'>;

/** Whose trades are listed: those of all markets, of some, or of a wallet. */
export type ListForm = 'all' | 'markets' | 'wallet';

/** Rows of `/v2/trades`. */
export function tradeRow(deps: RowDeps, form: ListForm): ToRow {
  return (index) => {
    const trade = deps.view.tape.trade(index);
    const { title, slug, outcome, eventSlug, outcomeIndex } = labelsOf(trade, deps, form);
    return {
      proxy_wallet: trade.proxyWallet,
      side: trade.side,
      token_id: trade.asset,
      condition_id: trade.conditionId,
      size: trade.size,
      price: trade.price,
      timestamp: trade.timestamp,
      title,
      slug,
      icon: '',
      event_slug: eventSlug,
      outcome,
      outcome_index: outcomeIndex,
      ...PROFILE,
      transaction_hash: trade.transactionHash,
    };
  };
}

/** Rows of `/v2/activity`. */
export function activityRow(deps: RowDeps): ToRow {
  return (index) => {
    const trade = deps.view.tape.trade(index);
    const { title, slug, outcome, eventSlug, outcomeIndex } = labelsOf(trade, deps, 'wallet');
    return {
      proxy_wallet: trade.proxyWallet,
      timestamp: trade.timestamp,
      condition_id: trade.conditionId,
      type: 'TRADE',
      size: trade.size,
      usdc_size: Math.round(trade.size * trade.price * 1e6) / 1e6,
      transaction_hash: trade.transactionHash,
      price: trade.price,
      token_id: trade.asset,
      side: trade.side,
      outcome_index: outcomeIndex,
      title,
      slug,
      icon: '',
      event_slug: eventSlug,
      outcome,
      ...PROFILE,
    };
  };
}

type Labels = Pick<TapeTrade, 'title' | 'slug' | 'outcome' | 'eventSlug' | 'outcomeIndex'>;

function labelsOf(trade: TapeTrade, { view, profile }: RowDeps, form: ListForm): Labels {
  const isYoung = view.now() - trade.timestamp * 1_000 < UNLABELLED_MS;
  const isUnlabelled = profile.labels === 'captured' && (form === 'all' || (form === 'wallet' && isYoung));
  const isWordless = fixedShare(trade.transactionHash, 'words') < profile.withoutWords;
  const { title, slug, outcome, eventSlug, outcomeIndex } = trade;
  return {
    ...(isWordless ? { title: '', slug: '', outcome: '' } : { title, slug, outcome }),
    ...(isUnlabelled ? { eventSlug: '', outcomeIndex: UNKNOWN_INDEX } : { eventSlug, outcomeIndex }),
  };
}

/** The rows of one page, with what goes wrong in them. */
export function pageRows(
  indices: readonly number[],
  { view, faults, toRow }: { view: MarketView; faults: Faults; toRow: ToRow },
): readonly AnyRow[] {
  let listed = [...indices];
  if (listed.length > 0 && faults.strikes('repeat')) listed = repeated(listed, view);
  if (faults.strikes('shuffle')) listed = shuffled(listed, faults);
  const rows = listed.map(toRow);
  if (rows.length === 0 || !faults.strikes('drop-field')) return rows;
  const hurt = Math.floor(faults.random() * rows.length);
  return rows.map((row, place) => (place === hurt ? without(row, faults) : row));
}

/** The row just newer than the page, which the page before ended with. Within a page each order is listed once. */
function repeated(listed: readonly number[], view: MarketView): number[] {
  const newer = (listed[0] as number) + 1;
  return newer < view.tape.count && view.isListed(newer) ? [newer, ...listed] : [...listed];
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
