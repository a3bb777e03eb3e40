import { z } from 'zod';
import type { PublishedEvent } from '../../core/alerts/newest-events.ts';
import { WEBHOOK_EVENTS } from '../../core/delivery/webhooks/webhook.ts';
import { filterWords } from '../../core/follow/follow-words.ts';
import { parameter } from '../schemas/fields.ts';
import { conditionShape, fieldsOf, namesOf } from './alert-query.ts';
import { type applyFeedPreset, feedPresetShape } from './preset-filters.ts';
import { wordList } from './query-values.ts';

export const feedQuerySchema = z.object({
  ...conditionShape,
  ...feedPresetShape,
  events: parameter(
    wordList(WEBHOOK_EVENTS),
    'Comma-separated, of alert, outcome, exit: what is in the feed; default: alert. An outcome is there if an alert of its market passes the filters, an exit if the newest alert of its thread does.',
    'alert,outcome,exit',
  ),
});
export type FeedQuery = z.infer<typeof feedQuerySchema>;

/** The `applied` query, as if it had been sent with the filters of its preset. */
export type AppliedQuery = NonNullable<Awaited<ReturnType<typeof applyFeedPreset<FeedQuery>>>>;

/** What is in a feed, and what it is called. */
export function feedParts(given: FeedQuery, applied: AppliedQuery) {
  const kinds: readonly PublishedEvent['kind'][] = given.events?.length
    ? WEBHOOK_EVENTS.filter((kind) => given.events?.includes(kind))
    : ['alert'];
  const isUsual = kinds.join() === 'alert';
  const { preset } = given;
  const conditions = conditionsOf(applied);
  return {
    kinds,
    /** The one query of this feed, however it was written. */
    ownQuery: queryText({
      ...namesOf(conditionsOf(given)),
      ...(preset !== undefined && { preset }),
      ...(!isUsual && { events: kinds.join() }),
    }),
    listQuery: queryText(namesOf(conditions)),
    /** The filter in words; null: there is none. */
    words: Object.keys(conditions).length === 0 ? null : filterWords(conditions),
  };
}

/** Presets have further filters: of time, and of the result. */
function conditionsOf(query: AppliedQuery) {
  const named = Object.entries(query).filter(([name]) => Object.hasOwn(conditionShape, name));
  return fieldsOf(Object.fromEntries(named));
}

function queryText(values: Readonly<Record<string, string | number | boolean>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) query.set(name, String(value));
  return query.size === 0 ? '' : `?${query}`;
}
