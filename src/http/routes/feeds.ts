import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { visibleUntil } from '../../core/alerts/free-delay.ts';
import type { PublishedEvent } from '../../core/alerts/newest-events.ts';
import { WEBHOOK_EVENTS } from '../../core/delivery/webhooks/webhook.ts';
import { filterWords } from '../../core/follow/follow-words.ts';
import { acceptWeight } from '../hooks/accept.ts';
import { pageInTurn } from '../hooks/read-turn.ts';
import { refuse } from '../hooks/refuse.ts';
import { conditionShape, fieldsOf, filterOf, namesOf } from '../query/alert-query.ts';
import { applyFeedPreset, feedPresetShape } from '../query/preset-filters.ts';
import { wordList } from '../query/query-values.ts';
import { errorSchema } from '../schemas/error-codes.ts';
import { parameter } from '../schemas/fields.ts';
import type { ServerDeps } from '../server-deps.ts';
import { atomFeed, feedSchema, jsonFeed } from '../views/feed-view.ts';
import { type MadePage, TOPICS } from '../views/page-cache.ts';
import { notModifiedReply, ReadyAnswer } from '../views/ready-answer.ts';
import { ATOM_EXAMPLE } from '../views/report-examples.ts';

const feedQuerySchema = z.object({
  ...conditionShape,
  ...feedPresetShape,
  events: parameter(
    wordList(WEBHOOK_EVENTS),
    'What the feed contains: a comma-separated list of alert, outcome and exit; default: alert. An outcome is there if an alert of its market passes the filters, an exit if the newest alert of its thread does.',
    'alert,outcome,exit',
  ),
});
type FeedQuery = z.infer<typeof feedQuerySchema>;

/** The `applied` query, as if it had been sent with the filters of its preset. */
type AppliedQuery = NonNullable<Awaited<ReturnType<typeof applyFeedPreset<FeedQuery>>>>;

/** What is in a feed, and what it is called. */
function feedParts(given: FeedQuery, applied: AppliedQuery) {
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

const ITEMS = 50;
const DESCRIPTION =
  'Public: no key is needed. The newest 50 alerts in words, {free_delay} late, with those filters of `GET /alerts` whose result does not change after publication. Outcomes and exits are separate items, searched for among the newest 500 of each. An item keeps its id; an alert changes only when its position is sold on the market.';
const NO_FEED = 'There is no feed with this token: its owner may have renewed or ended it.';

const ATOM_ANSWER = z.string().meta({
  id: 'AtomFeed',
  description: 'The newest alerts as an Atom feed (RFC 4287).',
  examples: [ATOM_EXAMPLE],
});

const ATOM = 'application/atom+xml';
/** For clients that do not know that. */
const XML = 'text/xml';

const FORMATS = [
  {
    path: '/feed.json',
    operation: { operationId: 'getJsonFeed', summary: 'The newest alerts as JSON Feed' },
    contentTypes: ['application/feed+json'],
    schema: feedSchema,
    write: jsonFeed,
  },
  {
    path: '/feed.xml',
    operation: { operationId: 'getAtomFeed', summary: 'The newest alerts as an Atom feed' },
    contentTypes: [ATOM, XML],
    schema: ATOM_ANSWER,
    write: atomFeed,
  },
];

export function registerFeeds(app: FastifyInstance, deps: ServerDeps): void {
  for (const format of FORMATS) {
    const { path, operation, contentTypes, schema } = format;
    app.get<{ readonly Querystring: FeedQuery }>(path, {
      schema: {
        ...operation,
        description: DESCRIPTION,
        tags: ['Feeds'],
        security: [],
        querystring: feedQuerySchema,
        // Some generated clients accept the first documented type alone, and read only `text/` as text.
        produces: contentTypes.toReversed(),
        response: { 200: schema, ...notModifiedReply, 404: errorSchema },
      },
      async handler(request, reply) {
        // Read for each request: a token that was replaced opens nothing, not even what is cached.
        const applied = await applyFeedPreset(request.query, deps.presets);
        if (applied === null) return refuse(reply, 'preset_not_found', NO_FEED);
        const contentType = chosenType(request, contentTypes);
        const make = feedMaker(deps, request, { format, contentType, applied });
        const { ownQuery } = feedParts(request.query, applied);
        const name = `${contentType} ${path}${ownQuery} ${JSON.stringify(fieldsOf(applied))}`;
        const feed = await deps.site.pages.get(name, () => pageInTurn(request, deps, make));
        return feed?.send(request, reply);
      },
    });
  }
}

interface AskedFeed {
  readonly format: (typeof FORMATS)[number];
  readonly contentType: string;
  readonly applied: AppliedQuery;
}

function feedMaker(
  { publicUrl, newestEvents, logHeads, ...deps }: ServerDeps,
  { query, audience }: FastifyRequest<{ readonly Querystring: FeedQuery }>,
  { format, contentType, applied }: AskedFeed,
) {
  const { path, contentTypes, write } = format;
  return async (): Promise<MadePage> => {
    const { kinds, words, ownQuery, listQuery } = feedParts(query, applied);
    const until = visibleUntil(audience, deps);
    const filter = filterOf(applied, until);
    const { seq: uptoSequence } = await logHeads.read(audience);
    const asked = { kinds, until, uptoSequence, limit: ITEMS };
    const events = await newestEvents.read(filter, asked);
    const address = {
      publicUrl,
      path: path + ownQuery,
      listQuery,
      freeDelayMs: deps.freeDelayMs,
    };
    const text = write({ kinds, words, events }, address);
    const answer = new ReadyAnswer(text, {
      contentType: `${contentType}; charset=utf-8`,
      cacheControl: query.preset === undefined ? 'public, max-age=60' : 'private, no-cache',
      vary: contentTypes.length === 1 ? 'origin' : 'accept, origin',
    });
    return { answer, bytes: text.length, topics: [TOPICS.alerts] };
  };
}

/** The second type is for clients whose `Accept` excludes the first, or gives it less weight. */
function chosenType({ headers: { accept } }: FastifyRequest, types: readonly string[]): string {
  const [usual = '', other = usual] = types;
  const weight = acceptWeight(accept, usual);
  return weight > 0 && weight >= acceptWeight(accept, other) ? usual : other;
}
