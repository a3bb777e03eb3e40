import { DAY_MS, type EpochMs } from '../base/time/duration.ts';
import type { MeasuredMarket } from './measured-market.ts';

/** The block of each event, by the event's name. */
export type Blocks = ReadonlyMap<string, number>;

type EventPart = Pick<MeasuredMarket, 'event' | 'tags' | 'settledAt' | 'endsAt'>;

interface BlockEvent {
  readonly name: string;
  readonly tags: readonly string[];
  readonly time: EpochMs | null;
}

interface Block {
  readonly from: EpochMs | null;
  readonly tags: Set<string>;
}

/**
 * Divides events into blocks: events with a common cause, which are one piece of evidence for how much figures vary. Taken
 * by time, then name, an event joins the earliest block that began at most 24 h before it and has one of its tags; else it
 * begins a block. So no block is longer than 24 h. An event without a time is a block of its own.
 *
 * The time of an event is that of the last of its `markets`, which may be all markets of many events: when it was settled or
 * the end it had stated, whichever is earlier. Only settlements up to `asOf` are known.
 */
export function blocksOf(markets: readonly EventPart[], asOf: EpochMs): Blocks {
  const events = [...Map.groupBy(markets, ({ event }) => event)]
    .map(([name, parts]) => eventOf(name, parts, asOf))
    .sort((a, b) => (a.time ?? 0) - (b.time ?? 0) || (a.name < b.name ? -1 : 1));
  const blocks: Block[] = [];
  return new Map(events.map((event) => [event.name, join(event, blocks)]));
}

function eventOf(name: string, parts: readonly EventPart[], asOf: EpochMs): BlockEvent {
  const times = parts.flatMap((part) => timeOf(part, asOf) ?? []);
  return {
    name,
    tags: parts.flatMap(({ tags }) => tags),
    time: times.length === 0 ? null : times.reduce((latest, time) => Math.max(latest, time)),
  };
}

function timeOf({ settledAt, endsAt }: EventPart, asOf: EpochMs): EpochMs | null {
  const settled = settledAt !== null && settledAt <= asOf ? settledAt : null;
  if (settled === null || endsAt === null) return settled ?? endsAt;
  return Math.min(settled, endsAt);
}

/** The number of the block that the event joins or begins. */
function join({ tags, time }: BlockEvent, blocks: Block[]): number {
  const isOpen = ({ from }: Block) => from !== null && time !== null && time - from <= DAY_MS;
  const index = blocks.findIndex((block) => isOpen(block) && tags.some((tag) => block.tags.has(tag)));
  if (index < 0) return blocks.push({ from: time, tags: new Set(tags) }) - 1;
  for (const tag of tags) blocks[index]?.tags.add(tag);
  return index;
}
