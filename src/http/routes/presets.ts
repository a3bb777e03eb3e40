import { z } from 'zod';
import { PRESET_LIMITS, type Preset } from '../../core/accounts/presets/preset.ts';
import { dateTime } from '../../core/base/text/date-time.ts';
import { callerOf } from '../hooks/api-key-auth.ts';
import { ignoreBodies } from '../hooks/json-body.ts';
import { refuse } from '../hooks/refuse.ts';
import { listUnknownFilters, refusePreset } from '../query/preset-filters.ts';
import { errorSchema } from '../schemas/error-codes.ts';
import { component, flag, text, timestamp } from '../schemas/fields.ts';
import type { Api, ServerDeps } from '../server-deps.ts';
import { PRESET_EXAMPLE, PRESET_FEED_EXAMPLE } from '../views/examples.ts';
import { filtersSchema, presetBodySchema } from './preset-body.ts';

const { id, name } = PRESET_EXAMPLE;

const idSchema = text('Id of the preset.', id);
const params = z.object({ id: idSchema });
const own = { id: idSchema, name: text('Name of the preset.') };
const createdSchema = component('PresetCreated', 'The preset is saved.', { id, name }, own);

const presetSchema = component('Preset', 'Saved filters.', PRESET_EXAMPLE, {
  ...own,
  filters: filtersSchema,
  created_at: timestamp('When it was created, or the time that was given'),
  has_feed: flag('Whether `POST /presets/{id}/feed` has given it a feed.'),
});

const feedSchema = component('PresetFeed', 'The feed of a preset, shown this once.', PRESET_FEED_EXAMPLE, {
  id: idSchema,
  feed_token: text('Lets anyone read the feed of what the preset matches. It is stored hashed.'),
  feed_url: text('Address of that feed as Atom; `/feed.json` serves it as JSON Feed.'),
});

const presetsSchema = z
  .array(presetSchema)
  .meta({ id: 'Presets', description: 'Oldest first.', examples: [[PRESET_EXAMPLE]] });

const LIMIT_REACHED = `A key has at most ${PRESET_LIMITS.perKey} presets. Delete one with DELETE /presets/{id}, or change one with PUT /presets/{id}.`;

const tags = ['Presets'];

export function registerPresets(app: Api, deps: ServerDeps): void {
  registerAll(app, deps);
  registerOne(app, deps);
  app.register(async (scope) => {
    ignoreBodies(scope);
    registerRemove(scope, deps);
    registerFeed(scope, deps);
  });
}

function registerAll(app: Api, { presets }: ServerDeps): void {
  app.post('/presets', {
    schema: {
      operationId: 'createPreset',
      summary: 'Save filters as a preset',
      description: '`GET /alerts?preset=<id>` applies it. A key has at most 100.',
      tags,
      body: presetBodySchema,
      response: { 200: createdSchema, 409: errorSchema },
    },
    async handler(request, reply) {
      const preset = await presets.create(callerOf(request).key.id, requestOf(request.body));
      if (preset === null) return refuse(reply, 'preset_limit_reached', LIMIT_REACHED);
      listUnknownFilters(reply, preset.filters);
      return { id: preset.id, name: preset.name };
    },
  });
  app.get('/presets', {
    schema: {
      operationId: 'listPresets',
      summary: 'The presets of the calling key',
      description: 'All presets of the key, oldest first.',
      tags,
      response: { 200: presetsSchema },
    },
    async handler(request) {
      const found = await presets.store.listByKey(callerOf(request).key.id);
      return found.map(presetView);
    },
  });
}

function registerOne(app: Api, { presets }: ServerDeps): void {
  app.get('/presets/:id', {
    schema: {
      operationId: 'getPreset',
      summary: 'One preset',
      description: 'A preset of another key is a 404.',
      tags,
      params,
      response: { 200: presetSchema, 404: errorSchema },
    },
    async handler(request, reply) {
      const { id } = request.params;
      const preset = await presets.store.get(callerOf(request).key.id, id);
      return preset === null ? refusePreset(reply, id) : presetView(preset);
    },
  });
  app.put('/presets/:id', {
    schema: {
      operationId: 'replacePreset',
      summary: 'Replace a preset',
      description: 'Replaces its name and all its filters. `created_at` is kept unless given.',
      tags,
      params,
      body: presetBodySchema,
      response: { 200: presetSchema, 404: errorSchema },
    },
    async handler(request, reply) {
      const { id } = request.params;
      const preset = await presets.replace(callerOf(request).key.id, id, requestOf(request.body));
      if (preset === null) return refusePreset(reply, id);
      listUnknownFilters(reply, preset.filters);
      return presetView(preset);
    },
  });
}

function registerRemove(app: Api, { presets }: ServerDeps): void {
  app.delete('/presets/:id', {
    schema: {
      operationId: 'deletePreset',
      summary: 'Delete a preset',
      description: 'From then on, a query with its id is a 404.',
      tags,
      params,
      response: { 204: z.null().describe('The preset is deleted.'), 404: errorSchema },
    },
    async handler(request, reply) {
      const { id } = request.params;
      const isRemoved = await presets.store.remove(callerOf(request).key.id, id);
      return isRemoved ? reply.code(204).send(null) : refusePreset(reply, id);
    },
  });
}

function registerFeed(app: Api, { presets, publicUrl }: ServerDeps): void {
  app.post('/presets/:id/feed', {
    schema: {
      operationId: 'renewPresetFeed',
      summary: 'Create or renew the feed of a preset',
      description:
        'Gives the preset a `feed_token`: anyone who has it can read the feed of what the preset matches, {free_delay} late, without a key. The token is shown this once; a second call replaces it, and the old one stops working at once.',
      tags,
      params,
      response: { 200: feedSchema, 404: errorSchema },
    },
    async handler(request, reply) {
      const { id } = request.params;
      const token = await presets.renewFeed(callerOf(request).key.id, id);
      if (token === null) return refusePreset(reply, id);
      return { id, feed_token: token, feed_url: `${publicUrl}/feed.xml?preset=${token}` };
    },
  });
  app.delete('/presets/:id/feed', {
    schema: {
      operationId: 'endPresetFeed',
      summary: 'End the feed of a preset',
      description: 'From then on, its token is answered with 404. The preset is kept.',
      tags,
      params,
      response: { 204: z.null().describe('The preset has no feed.'), 404: errorSchema },
    },
    async handler(request, reply) {
      const { id } = request.params;
      const isFound = await presets.store.setFeedToken(callerOf(request).key.id, id, null);
      return isFound ? reply.code(204).send(null) : refusePreset(reply, id);
    },
  });
}

function requestOf({ name, filters, created_at }: z.infer<typeof presetBodySchema>) {
  return { name, filters, createdAt: created_at ?? null };
}

function presetView({ id, name, filters, createdAt, feedHash }: Preset): z.infer<typeof presetSchema> {
  const created_at = dateTime(createdAt);
  return { id, name, filters: { ...filters }, created_at, has_feed: feedHash !== null };
}
