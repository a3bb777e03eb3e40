import { z } from 'zod';
import type { EpochMs } from '../../../core/base/time/duration.ts';
import { categoryOf } from '../../../core/trades/classification/category-of.ts';
import type { Row } from '../../../core/trades/trade.ts';
import { type BadRow, badRow, badRowOf, isPlausibleTime, millisOf } from './bad-row.ts';
import {
  conditionIdOf,
  idSchema,
  optionalText,
  parseJson,
  parseMoment,
  type RawRow,
  writtenText,
} from './text-fields.ts';

const tokenId = idSchema.or(z.literal(''));
const eventSchema = z.object({ slug: optionalText }).nullable().catch(null);
const numberOrText = z.union([z.number(), z.string()]);

/** A market in Gamma's form. What Gamma may omit is optional, so that a resolution is not lost because of it. */
export const marketRowSchema = z.object({
  conditionId: idSchema,
  question: writtenText.min(1),
  slug: writtenText,
  outcomes: listOf(writtenText),
  version: z.string().nullish(),
  clobTokenIds: listOf(tokenId).nullish(),
  positionIds: listOf(tokenId).nullish(),
  outcomePrices: listOf(numberOrText).nullish(),
  resolvedPayouts: listOf(numberOrText).nullish().catch(null),
  endDate: z.string().nullish(),
  category: writtenText.nullish(),
  tags: z.array(z.object({ slug: writtenText.nullish() })).nullish(),
  events: z.array(eventSchema).nullish().catch(null),
  closed: z.boolean().nullish(),
  umaResolutionStatus: z.string().nullish(),
  resolutionStatus: z.string().nullish(),
  volume24hr: numberOrText.nullish(),
  at: z.number().nullish(),
});
type GammaMarket = z.infer<typeof marketRowSchema>;

export function parseMarket(raw: RawRow, now: EpochMs): Row | BadRow {
  const { success, data, error } = marketRowSchema.safeParse(raw);
  if (!success) return badRowOf(raw, error);
  const at = millisOf(data.at);
  if (!isPlausibleTime(at, now)) return badRow('bad_time', 'at');
  const { question, slug, outcomes } = data;
  const event = data.events?.[0];
  const tags = data.tags?.flatMap((tag) => tag.slug?.toLowerCase() ?? []) ?? null;
  return {
    kind: 'market',
    at,
    market: {
      id: conditionIdOf(data.conditionId),
      question,
      slug,
      eventSlug: event?.slug ?? null,
      outcomes,
      tokenIds: tokenIdsOf(data),
      category: categoryOf({ title: question, slug, tags: tags ?? [], category: data.category ?? null }),
      tags,
      endsAt: data.endDate == null ? null : parseMoment(data.endDate),
      volume24h: volumeOf(data),
      payouts: payoutsOf(data),
    },
  };
}

/** Payouts are stated in millionths; each may be rounded. */
const MICRO = 1e-6;

/** What each outcome pays once settled: `resolvedPayouts`, else prices of 1 and 0, or twice 0.5. */
function payoutsOf(market: GammaMarket): readonly number[] | null {
  // Markets of Protocol V2 have a field of their own (its documentation), others that of UMA.
  const states = [market.umaResolutionStatus, market.resolutionStatus].filter(Boolean);
  if (market.closed !== true || states.some((state) => state !== 'resolved')) return null;
  const prices = (market.resolvedPayouts ?? market.outcomePrices ?? []).map(toNumber);
  if (prices.length < 2 || prices.length !== market.outcomes.length) return null;
  if (market.resolvedPayouts != null) return isWhole(prices) ? prices : null;
  const isWon =
    prices.filter((price) => price === 1).length === 1 &&
    prices.filter((price) => price === 0).length === prices.length - 1;
  const isHalved = prices.length === 2 && prices.every((price) => price === 0.5);
  return isWon || isHalved ? prices : null;
}

function isWhole(payouts: readonly number[]): boolean {
  const sum = payouts.reduce((total, payout) => total + payout, 0);
  return payouts.every((payout) => payout >= 0 && payout <= 1) && Math.abs(sum - 1) <= MICRO * payouts.length;
}

/** By position ids in Protocol V2; ids that do not pair with the outcomes could name a wrong one. */
function tokenIdsOf({ version, clobTokenIds, positionIds, outcomes }: GammaMarket): readonly string[] {
  const ids = version === 'v2' ? positionIds : (clobTokenIds ?? positionIds);
  return ids?.length === outcomes.length ? ids : [];
}

function volumeOf({ volume24hr }: GammaMarket): number | null {
  const volume = toNumber(volume24hr ?? '');
  return Number.isFinite(volume) && volume >= 0 ? volume : null;
}

/** An empty text is NaN, not 0. */
function toNumber(value: number | string): number {
  return typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
}

function listOf<T extends z.ZodType>(item: T) {
  return z.preprocess((value) => (typeof value === 'string' ? parseJson(value) : value), z.array(item));
}
