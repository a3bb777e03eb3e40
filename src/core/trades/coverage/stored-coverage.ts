import { z } from 'zod';
import type { Declaration, Documents, OpenDocuments } from '../../base/documents/documents.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import { type BlindWindow, blindWindowSchema } from './blind-window.ts';

const position = z.strictObject({
  /** When the feed was started for the first time. */
  since: z.int(),
  /** Every trade up to this moment that the market listed was enqueued, except those of blind windows. */
  confirmedUntil: z.int(),
  /** Time of the oldest trade that is enqueued and not judged yet; null when there is none. */
  oldestWaiting: z.int().nullable(),
});
/** Progress of a live feed, stored so that the next start knows what it missed. */
export type FeedPosition = Readonly<z.infer<typeof position>>;

const BLIND_WINDOWS: Declaration<BlindWindow> = {
  kind: 'blind_windows',
  schema: blindWindowSchema,
  indexes: {
    blind_windows_by_start: { fields: ['startedAt'] },
    blind_windows_open: { fields: ['endedAt', 'startedAt'] },
    blind_windows_unfilled: { fields: ['backfilledAt', 'startedAt'] },
  },
};

const positionSchema = position.extend({ id: z.literal('polymarket') });
type PositionDocument = z.infer<typeof positionSchema>;

const FEED_POSITION: Declaration<PositionDocument> = { kind: 'feed_position', schema: positionSchema };
/** Of the one live feed. */
const ID = 'polymarket';

/** The most windows that `unsettled` returns. */
export const UNSETTLED_WINDOWS_MAX = 1_000;

/** Which times a live feed covered and which it missed. */
export class StoredCoverage {
  readonly #windows: Documents<BlindWindow>;
  readonly #positions: Documents<PositionDocument>;

  constructor(open: OpenDocuments) {
    this.#windows = open(BLIND_WINDOWS);
    this.#positions = open(FEED_POSITION);
  }

  async putWindow(window: BlindWindow): Promise<void> {
    await this.#windows.put([window]);
  }

  /** Windows that overlap [since, until], newest first by start, at most `limit`. */
  async windows({ since, until, limit }: { since: EpochMs; until: EpochMs; limit: number }) {
    const startedAt = { lte: until };
    const open = await this.#open(startedAt, limit);
    const ended = await this.#windows.find({
      where: { startedAt, endedAt: { gte: since } },
      order: '-startedAt',
      limit,
    });
    return newestOf([...open, ...ended], limit);
  }

  /** Windows without `backfilledAt` that began at or after `since` or are open. Newest first, at most 1,000. */
  async unsettled(since: EpochMs): Promise<readonly BlindWindow[]> {
    const open = await this.#open(undefined, UNSETTLED_WINDOWS_MAX);
    const unfilled = await this.#windows.find({
      where: { backfilledAt: null, startedAt: { gte: since } },
      order: '-startedAt',
      limit: UNSETTLED_WINDOWS_MAX,
    });
    return newestOf([...open, ...unfilled], UNSETTLED_WINDOWS_MAX);
  }

  async readPosition(): Promise<FeedPosition | null> {
    const found = await this.#positions.get(ID);
    if (found === null) return null;
    const { id, ...stored } = found;
    return stored;
  }

  async writePosition(written: FeedPosition): Promise<void> {
    await this.#positions.put([{ id: ID, ...written }]);
  }

  /** Read before the others, so that a window that ends meanwhile is not missed. */
  #open(startedAt: { readonly lte: EpochMs } | undefined, limit: number): Promise<readonly BlindWindow[]> {
    return this.#windows.find({ where: { endedAt: null, startedAt }, order: '-startedAt', limit });
  }
}

/** The later of two readings of a window counts. */
function newestOf(windows: readonly BlindWindow[], limit: number): readonly BlindWindow[] {
  const byId = new Map(windows.map((window) => [window.id, window]));
  const isNewer = (a: BlindWindow, b: BlindWindow) => b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1);
  return [...byId.values()].toSorted(isNewer).slice(0, limit);
}
