import type { PublishedRecord, RecordEntry, RecordFigures } from './record.ts';

/** Fewer resolved events or markets than this prove nothing: what their interval says may be chance. */
export const FEWEST_EVENTS = 20;
/** About the number of events needed to detect an edge of 0.05 in four of five records, if every event had one market. */
const MANY_EVENTS = 200;
/** With fewer wins or losses to be expected, chance alone often leaves none, and an interval drawn from none is too narrow. */
const FEWEST_EXPECTED = 5;
/** Standard errors of the mean to each side of a 95 % interval. */
const STANDARD_ERRORS = 1.96;

/**
 * What a record lets a reader conclude, as one plain sentence. `event` is the word for one event, which takes an `s`.
 * Whether the alerts beat the price is read from the figures per event; with fewer than `FEWEST_EVENTS` events, where the
 * answer is always that they are too few, from those per market. Where the prices are right it names a direction in at most
 * about 5 % of records (detection.md, "What the record says").
 */
export function conclusionOf({ all }: PublishedRecord, event = 'event'): string {
  const [markets, events] = [all.perMarket.resolved, all.perEvent.resolved];
  if (all.perAlert.count === 0) return 'There is nothing to conclude from: no alert.';
  if (markets === 0) return 'There is nothing to conclude from: no market of these alerts is settled.';
  const basis = basisOf(all, event);
  const tooFew = `${basis} ${markets === 1 ? 'is' : 'are'} too few to say`;
  if (events < FEWEST_EVENTS) {
    const direction = directionOf(all.perMarket);
    return direction === null
      ? `No evidence that these alerts beat the price: ${tooFew}.`
      : `These alerts did ${direction} than the price, but ${tooFew} that it is more than chance.`;
  }
  const direction = directionOf(all.perEvent);
  if (direction === null)
    return `No evidence that these alerts beat the price: ${isTelling(all.perEvent) ? basis : tooFew}.`;
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

/**
 * Where the edge lies. Null unless its interval excludes 0, and the edge is also further from 0 than chance takes it in 95 %
 * of records where the price is right: outcomes of 0 to 1 with a mean of `p` have a variance of at most `p · (1 − p)`.
 */
function directionOf(figures: RecordFigures): 'better' | 'worse' | null {
  const { resolved, averageEntry, edge, intervals } = figures;
  if (averageEntry === null || edge === null || intervals === null || !isTelling(figures)) return null;
  const chance = STANDARD_ERRORS * Math.sqrt((averageEntry * (1 - averageEntry)) / resolved);
  if (intervals.edge.low > 0 && edge > chance) return 'better';
  return intervals.edge.high < 0 && edge < -chance ? 'worse' : null;
}

/** Whether enough wins and enough losses were expected at the prices paid, and both occurred. */
function isTelling({ resolved, winRate, averageEntry }: RecordFigures): boolean {
  if (winRate === null || averageEntry === null) return false;
  const expected = resolved * Math.min(averageEntry, 1 - averageEntry);
  return expected >= FEWEST_EXPECTED && winRate > 0 && winRate < 1;
}
