import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Declaration, Documents, OpenDocuments } from '../base/documents/documents.ts';

const marketSchema = z.strictObject({
  id: z.string(),
  /** Slug of the event that it belongs to. */
  event: z.string(),
});

type KnownMarket = Readonly<z.infer<typeof marketSchema>>;

const MARKETS: Declaration<KnownMarket> = {
  kind: 'markets',
  schema: marketSchema,
  indexes: { markets_by_event: { fields: ['event'] } },
};

const REMEMBERED_MAX = 10_000;

/** What became known of markets after their first alerts, whose entries never change. */
export class Markets {
  readonly #markets: Documents<KnownMarket>;
  /** An event that is known stays. */
  readonly #events = new LRUCache<string, string>({ max: REMEMBERED_MAX });

  constructor(open: OpenDocuments) {
    this.#markets = open(MARKETS);
  }

  /** Gives a market the slug of its event, if it has none. */
  async nameEvent(id: string, event: string): Promise<void> {
    await this.#markets.insertMissing([{ id, event }]);
  }

  /** The events of those of these markets that got one, by their ids. */
  async eventsOf(ids: Iterable<string>): Promise<ReadonlyMap<string, string>> {
    const asked = [...new Set(ids)];
    const unknown = asked.filter((id) => !this.#events.has(id));
    const found = unknown.length === 0 ? [] : await this.#markets.find({ where: { id: { in: unknown } } });
    for (const { id, event } of found) this.#events.set(id, event);
    return new Map(
      asked.flatMap((id) => {
        const event = this.#events.get(id);
        return event === undefined ? [] : [[id, event]];
      }),
    );
  }

  /** The markets that got this event. */
  async ofEvent(event: string): Promise<readonly string[]> {
    return (await this.#markets.find({ where: { event } })).map(({ id }) => id);
  }
}
