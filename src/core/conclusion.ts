import type { Interval } from './bootstrap.ts';
import type { PublishedRecord, RecordEntry } from './record.ts';

/** Fewer resolved events or markets than this prove nothing: what their interval says may be chance. */
export const FEWEST_EVENTS = 20;
/** About the events an edge of 0.05 needs to be found in four records of five, were each event one market. */
const MANY_EVENTS = 200;

/**
 * What a record lets a reader conclude, as one plain sentence. `event` is the word for one event, which takes an `s`.
 * Whether the alerts beat the price is read from the interval of the edge per event; with fewer than `FEWEST_EVENTS` events,
 * where the answer is always that they are too few, from that per market.
 */
export function conclusionOf({ all }: PublishedRecord, event = 'event'): string {
  const [markets, events] = [all.perMarket.resolved, all.perEvent.resolved];
  if (all.perAlert.count === 0) return 'There is nothing to conclude from: no alert.';
  if (markets === 0) return 'There is nothing to conclude from: no market of these alerts is settled.';
  const basis = basisOf(all, event);
  if (events < FEWEST_EVENTS) {
    const tooFew = `${basis} ${markets === 1 ? 'is' : 'are'} too few`;
    const direction = directionOf(all.perMarket.intervals?.edge);
    return direction === null
      ? `No evidence that these alerts beat the price: ${tooFew} to say.`
      : `These alerts did ${direction} than the price, but ${tooFew} to say that it is more than chance.`;
  }
  const direction = directionOf(all.perEvent.intervals?.edge);
  if (direction === null) return `No evidence that these alerts beat the price: ${basis}.`;
  const caution =
    events < MANY_EVENTS
      ? `chance can still do that in ${events} ${event}s`
      : 'what they do next may differ, and fees are not counted';
  return `These alerts did ${direction} than the price: ${basis}; ${caution}.`;
}

/** What was observed: `20 markets of one night`. */
function basisOf({ perMarket, perEvent }: RecordEntry, event: string): string {
  const [markets, events] = [perMarket.resolved, perEvent.resolved];
  const text = `${markets.toLocaleString('en-US')} ${markets === 1 ? 'market' : 'markets'}`;
  if (events === markets) return text;
  return `${text} of ${events === 1 ? `one ${event}` : `${events.toLocaleString('en-US')} ${event}s`}`;
}

/** Where an interval of the edge lies; null where it holds 0, or there is none. */
function directionOf(edge: Interval | undefined): 'better' | 'worse' | null {
  if (edge === undefined) return null;
  if (edge.low > 0) return 'better';
  return edge.high < 0 ? 'worse' : null;
}
