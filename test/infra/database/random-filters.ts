import fc from 'fast-check';
import type { AlertFilter } from '../../../src/core/alerts/alert-store.ts';
import { ALERT_TYPES } from '../../../src/core/detection/candidate.ts';
import { CATEGORIES } from '../../../src/core/trades/trade.ts';
import { BOUNDS_USDC, DAY, SLUGS, TITLES, WALLETS } from './random-alerts.ts';

const moments = fc.integer({ min: -1, max: 25 }).map((seconds) => DAY + seconds * 1000);
const texts = fc.oneof(
  fc.constantFrom(...WALLETS, ...TITLES, ...SLUGS).map((text) => text.toUpperCase()),
  fc.constantFrom('%', '_', '[a-z]', '.*', '$where', '\\', "'", 'ä', 'WILL', '0xaa0', 'nothing like it', ''),
);
type Field = Exclude<keyof AlertFilter, 'afterId' | 'beforeId'>;
/** A new field of a filter does not compile without its values here. */
const values: { readonly [Name in Field]: fc.Arbitrary<NonNullable<AlertFilter[Name]>> } = {
  category: fc.constantFrom(...CATEGORIES.slice(0, 4)),
  categories: fc.subarray(CATEGORIES.slice(0, 4)),
  side: fc.constantFrom('BUY', 'SELL'),
  type: fc.constantFrom(...ALERT_TYPES),
  minUsdc: fc.oneof(fc.constantFrom(...BOUNDS_USDC), fc.double({ noNaN: true, min: -1, max: 5_000 })),
  minScore: fc.constantFrom(0, 49.5, 50, 95),
  isResolved: fc.boolean(),
  search: texts,
  since: moments,
  until: moments,
};
const filters: fc.Arbitrary<AlertFilter> = fc.record(values, { requiredKeys: [] });
const DROPPABLE = ['category', 'categories', 'side', 'type', 'minUsdc', 'minScore', 'isResolved'] as const;
/** Most filters restrict little, so that there is something to find. */
export const filter = fc.tuple(filters, fc.subarray([...DROPPABLE])).map(([given, dropped]) => {
  const kept = Object.entries(given).filter(([name]) => !(dropped as string[]).includes(name));
  return Object.fromEntries(kept) as AlertFilter;
});
