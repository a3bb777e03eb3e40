import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Lease } from '../../../core/base/lease/lease.ts';
import { type EpochMs, HOUR_MS } from '../../../core/base/time/duration.ts';
import type {
  ObservationBatch,
  ObservationStore,
  ObservedMarket,
} from '../../../core/record/observations/observation-store.ts';
import type { Collection, Declaration, FindQuery, OpenCollection } from './collection.ts';

interface MarketRow {
  readonly marketId: string;
  /** Counted from 1; the keys of its hours begin with it. */
  readonly number: number;
  /** Of the lease under which it was written last. */
  readonly epoch: number;
  readonly isOpen: boolean;
  readonly endsAt: EpochMs | null;
  readonly body: ObservedMarket;
}

/** One integer as the key: SQLite moves rows from 1,002 bytes on to pages of their own in a table that is clustered by texts. */
interface HourRow {
  readonly key: number;
  readonly epoch: number;
  readonly text: Uint8Array;
}

const OPEN = { isOpen: true } as const;

const MARKETS: Declaration<MarketRow> = {
  name: 'observed_markets',
  fields: {
    marketId: 'text',
    number: 'integer',
    epoch: 'integer',
    isOpen: 'boolean',
    endsAt: 'integer?',
    body: 'json',
  },
  key: ['marketId'],
  unique: ['number'],
  indexes: {
    observed_markets_open: { fields: ['isOpen', 'marketId'], where: OPEN },
    observed_markets_ending: { fields: ['isOpen', 'endsAt', 'marketId'], where: OPEN },
  },
};

const HOURS: Declaration<HourRow> = {
  name: 'observed_hours',
  fields: { key: 'integer', epoch: 'integer', text: 'bytes' },
  key: ['key'],
};

/**
 * Each row has the epoch under which it was written and is replaced only under the same or a newer one, so that a writer that
 * loses the lease between its check and its writes changes nothing of the next holder's. `openQuick`: a snapshot is written,
 * and waits for the disk, after the observations up to it; from there all is read again.
 */
export function createObservationStore(
  openQuick: OpenCollection,
  isHeld: (lease: Lease) => Promise<boolean>,
): ObservationStore {
  const markets = openQuick(MARKETS);
  const hours = openQuick(HOURS);

  async function bodiesOf(query: FindQuery<MarketRow>): Promise<readonly ObservedMarket[]> {
    return (await markets.find({ sort: ['marketId'], ...query })).map(({ body }) => body);
  }

  return {
    async write(lease, batch) {
      while (await isHeld(lease)) {
        const { epoch } = lease;
        if (
          (await writeMarkets(markets, epoch, batch.markets)) &&
          (await writeHours({ markets, hours }, epoch, batch.hours))
        )
          return true;
        // A row of a newer epoch, or a number that another writer has used: the lease distinguishes them.
      }
      return false;
    },
    market: async (marketId) => (await markets.get(marketId))?.body ?? null,
    open: ({ after = '', limit }) => bodiesOf({ where: { ...OPEN, marketId: { gt: after } }, limit }),
    endingNext: ({ from, limit }) =>
      bodiesOf({ where: { ...OPEN, endsAt: { gte: from } }, sort: ['endsAt', 'marketId'], limit }),
    async hours(marketId, { limit, isNewestFirst = false, ...range }) {
      const number = (await numbersOf(markets, [{ marketId }])).get(marketId);
      if (number === undefined) return [];
      const sort = isNewestFirst ? (['-key'] as const) : (['key'] as const);
      const found = await hours.find({ where: { key: hourKeys(number, range) }, sort, limit });
      return found.map(({ key, text }) => ({ marketId, hour: hourOfKey(key), text: unpackText(text) }));
    },
  };
}

/** False when a row is of a newer epoch, or its number is taken. */
async function writeMarkets(
  markets: Collection<MarketRow>,
  epoch: number,
  bodies: ObservationBatch['markets'],
): Promise<boolean> {
  if (bodies.length === 0) return true;
  const known = await numbersOf(markets, bodies);
  const [last] = await markets.pick(['number'], { sort: ['-number'], limit: 1 });
  let next = last?.number ?? 0;
  const rows = bodies.map((body) => {
    const { marketId, isOpen, endsAt = null } = body;
    const number = known.get(marketId) ?? ++next;
    return { marketId, number, epoch, isOpen, endsAt, body };
  });
  return markets.putEach(rows, { epoch: { lte: epoch } });
}

/** False when a row is of a newer epoch. */
async function writeHours(
  { markets, hours }: { readonly markets: Collection<MarketRow>; readonly hours: Collection<HourRow> },
  epoch: number,
  texts: ObservationBatch['hours'],
): Promise<boolean> {
  if (texts.length === 0) return true;
  const known = await numbersOf(markets, texts);
  const rows = texts.map(({ marketId, hour, text }) => {
    const number = known.get(marketId);
    if (number === undefined) throw new Error(`hours of a market that is not observed: ${marketId}`);
    return { key: hourKey(number, hour), epoch, text: packText(text) };
  });
  return hours.putEach(rows, { epoch: { lte: epoch } });
}

/** The numbers of the markets that have one; they never change. */
async function numbersOf(markets: Collection<MarketRow>, rows: readonly { readonly marketId: string }[]) {
  const ids = [...new Set(rows.map(({ marketId }) => marketId))];
  const found = await markets.pick(['marketId', 'number'], { where: { marketId: { in: ids } } });
  return new Map(found.map(({ marketId, number }) => [marketId, number]));
}

/** Hours of a market: until the year 3883. */
const HOURS_MAX = 2 ** 24;

/** The key of an hour's row: ascending by the hour within a market. `number` is the market's, below 2^29. */
function hourKey(number: number, hour: EpochMs): number {
  return number * HOURS_MAX + hour / HOUR_MS;
}

function hourOfKey(key: number): EpochMs {
  return (key % HOURS_MAX) * HOUR_MS;
}

/** The keys of a market's hours that begin at `from` or later and before `until`. */
function hourKeys(number: number, { from, until }: { readonly from: EpochMs; readonly until: EpochMs }) {
  const keyAt = (moment: EpochMs) =>
    number * HOURS_MAX + Math.min(Math.max(Math.ceil(moment / HOUR_MS), 0), HOURS_MAX);
  return { gte: keyAt(from), lt: keyAt(until) };
}

/** Shorter texts gain little: deflating takes 35 µs per text and a quarter of a megabyte each time. */
const DEFLATED_MIN = 1_024;
const PLAIN = '\u0000';
const DEFLATED = '\u0001';

/** An hour's text, deflated unless it is short, as its first byte says. Synchronous: 25 µs. */
function packText(text: string): Buffer {
  return text.length < DEFLATED_MIN
    ? Buffer.from(`${PLAIN}${text}`)
    : Buffer.concat([Buffer.from(DEFLATED), deflateRawSync(text)]);
}

function unpackText(packed: Uint8Array): string {
  const content = packed.subarray(1);
  const text = packed[0] === DEFLATED.charCodeAt(0) ? inflateRawSync(content) : Buffer.from(content);
  return text.toString('utf8');
}
