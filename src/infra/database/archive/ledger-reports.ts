import pLimit from 'p-limit';
import type { Alert } from '../../../core/alerts/alert.ts';
import type { AddressEnds, AlertStore, ReportQuery } from '../../../core/alerts/alert-store.ts';
import { type MarketReport, marketFigures } from '../../../core/alerts/market-report.ts';
import { type WalletReport, walletPositions, walletRecord } from '../../../core/alerts/wallet-report.ts';
import type { EpochMs } from '../../../core/base/time/duration.ts';
import type { ArchiveSource } from './archive-source.ts';
import { TimeSlices } from './time-slices.ts';

/** Alerts that the figures of a market, and the record of a wallet, are made of: the newest ones. */
const COUNTED_MAX = 1_000;
const CLUSTERS_MAX = 20;
const POSITIONS_MAX = 50;
/** Settlements in one read. */
const SETTLEMENTS_PER_READ = 100;

/** What the ledger has of one wallet and of one market. Each alert is found by an index. */
export class LedgerReports {
  readonly #source: ArchiveSource;
  readonly #members: ClusterMembers;

  constructor(source: ArchiveSource) {
    this.#source = source;
    this.#members = new ClusterMembers(source);
  }

  async wallet(
    wallet: string,
    { until, settledUntil = until, beforeId, limit }: ReportQuery,
  ): Promise<WalletReport | null> {
    const upto = await this.#lastId(until);
    await this.#members.read(upto);
    const own = (await this.#source.ofWallet(wallet)).filter((id) => id <= upto);
    const joined = this.#members.of(wallet).filter((id) => id <= upto);
    const first = Math.min(own[0] ?? Number.POSITIVE_INFINITY, joined[0] ?? Number.POSITIVE_INFINITY);
    if (first === Number.POSITIVE_INFINITY) return null;
    const older = own.filter((id) => id < (beforeId ?? Number.POSITIVE_INFINITY));
    const [page, counted, clusters] = [
      older.slice(-limit),
      own.slice(-COUNTED_MAX),
      joined.slice(-CLUSTERS_MAX),
    ];
    const known = await this.#read(
      [first, ...own.slice(0, 1), ...page, ...counted, ...clusters],
      settledUntil,
    );
    const positions = walletPositions(known(counted));
    return {
      firstAt: known([first])[0]?.createdAt ?? 0,
      ageDaysAtFirst: known(own.slice(0, 1))[0]?.details.walletAgeDays ?? null,
      total: own.length,
      alerts: known(page).toReversed(),
      hasMore: older.length > page.length,
      record: walletRecord(positions),
      positions: { total: positions.length, newest: positions.slice(0, POSITIONS_MAX) },
      clusters: { total: joined.length, newest: known(clusters).toReversed() },
    };
  }

  readonly walletsNamed: AlertStore['walletsNamed'] = async (ends, { until, limit }) => {
    const upto = await this.#lastId(until);
    await this.#members.read(upto);
    const members = this.#members.named(ends, upto).slice(0, limit);
    const own = await this.#source.walletsBetween(ends, { upto, limit });
    return [...new Set([...own, ...members])].sort().slice(0, limit);
  };

  async market(
    marketId: string,
    { until, settledUntil = until, beforeId, limit }: ReportQuery,
  ): Promise<MarketReport | null> {
    const upto = await this.#lastId(until);
    const ids = (await this.#source.ofMarket(marketId)).filter((id) => id <= upto);
    const counted = ids.slice(-COUNTED_MAX);
    const older = ids.filter((id) => id < (beforeId ?? Number.POSITIVE_INFINITY));
    const page = older.slice(-limit);
    const known = await this.#read([...page, ...counted], settledUntil);
    const newest = known(counted).at(-1);
    if (newest === undefined) return null;
    const settled = await this.#source.settlements.get(marketId);
    const isKnown = (settled?.log.at ?? 0) <= (settledUntil ?? Number.POSITIVE_INFINITY);
    return {
      total: ids.length,
      counted: counted.length,
      alerts: known(page).toReversed(),
      hasMore: older.length > page.length,
      newest,
      ...marketFigures(known(counted)),
      resolution: isKnown ? settled : null,
    };
  }

  /** Reads alerts; returns a function that gives some of them in the order of their ids. */
  async #read(
    ids: readonly number[],
    settledUntil: EpochMs | undefined,
  ): Promise<(ids: readonly number[]) => Alert[]> {
    const read = ids.length === 0 ? [] : await this.#source.load([...new Set(ids)]);
    const hidden = settledUntil === undefined ? new Set<string>() : await this.#settledAfter(settledUntil);
    const byId = new Map(
      read.map((alert) => [alert.id, hidden.has(alert.marketId) ? { ...alert, resolution: null } : alert]),
    );
    return (some) => some.flatMap((id) => byId.get(id) ?? []);
  }

  /** Markets that were settled, or corrected, after the moment: among the newest changes, read backwards. */
  async #settledAfter(moment: EpochMs): Promise<ReadonlySet<string>> {
    const { settlements } = this.#source;
    const markets = new Set<string>();
    for (let last = await settlements.lastSeq(); last > 0; last -= SETTLEMENTS_PER_READ) {
      const found = await settlements.after(Math.max(0, last - SETTLEMENTS_PER_READ), SETTLEMENTS_PER_READ);
      const late = found.filter(({ log }) => log.at > moment);
      for (const { marketId } of late) markets.add(marketId);
      // A recount has a new number and the former time, so that one earlier settlement does not end the search.
      if (found.length > 0 && late.length === 0) break;
    }
    return markets;
  }

  async #lastId(until: EpochMs | undefined): Promise<number> {
    const source = this.#source;
    return until === undefined ? source.lastId() : source.lastIdBefore(Math.floor(until) + 1);
  }
}

/** Alerts of which the clusters are read in one query: some milliseconds. */
const STEP = 256;

/** Which clusters a wallet is a member of. Read from the database once, then what was added. */
class ClusterMembers {
  readonly #source: Pick<ArchiveSource, 'members'>;
  readonly #exclusively = pLimit(1);
  readonly #clusters = new Map<string, number[]>();
  #upto = 0;

  constructor(source: Pick<ArchiveSource, 'members'>) {
    this.#source = source;
  }

  /** Reads the clusters up to an alert that exists. Other calls get their share in between. */
  async read(upto: number): Promise<void> {
    const slices = new TimeSlices();
    while (this.#upto < upto) {
      await this.#exclusively(() => this.#readStep(upto));
      await slices.pause();
    }
  }

  /** The ids of the clusters that were read and have the wallet as a member, ascending. */
  of(wallet: string): readonly number[] {
    return this.#clusters.get(wallet) ?? [];
  }

  /** The members of clusters up to an alert whose addresses begin and end so, ascending. */
  named({ start, end }: AddressEnds, upto: number): readonly string[] {
    const named: string[] = [];
    for (const [wallet, [first = 0]] of this.#clusters)
      if (first <= upto && wallet.startsWith(start) && wallet.endsWith(end)) named.push(wallet);
    return named.sort();
  }

  async #readStep(upto: number): Promise<void> {
    if (this.#upto >= upto) return;
    const range = { after: this.#upto, upto: Math.min(upto, this.#upto + STEP) };
    const clusters = await this.#source.members(range);
    for (const { id, wallets } of clusters.toSorted((a, b) => a.id - b.id))
      for (const wallet of new Set(wallets)) this.#add(wallet, id);
    this.#upto = range.upto;
  }

  #add(wallet: string, id: number): void {
    const known = this.#clusters.get(wallet);
    if (known === undefined) this.#clusters.set(wallet, [id]);
    else known.push(id);
  }
}
