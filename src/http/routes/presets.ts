import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { PRESET_LIMITS, type Preset } from '../../core/presets/preset.ts';
import { callerOf } from '../access.ts';
import { dateTime } from '../alert-view.ts';
import { errorSchema } from '../errors.ts';
import { ignoreBodies } from '../ignore-bodies.ts';
import { filtersSchema, presetBodySchema } from '../preset-body.ts';
import { presetNotFound } from '../preset-filters.ts';
import { bodyReplies, invalidReply, protectedReplies } from '../replies.ts';
import type { ServerDeps } from '../server-deps.ts';

const idSchema = z.string().meta({ description: 'Id of the preset.', examples: ['preset_mR8qX2vT0aLw5bNz'] });
const paramsSchema = z.object({ id: idSchema });
const createdSchema = z.object({ id: idSchema, name: z.string().describe('The name it was given.') });

const presetSchema = createdSchema.extend({
  filters: filtersSchema,
  created_at: z.string().meta({ description: 'UTC.', examples: ['2026-11-21 15:04:05'] }),
});

const FULL = {
  detail: `A key has at most ${PRESET_LIMITS.perKey} presets. Delete one with DELETE /presets/{id}, or change one with PUT /presets/{id}.`,
};

const tags = ['presets'];

type PresetDeps = Pick<ServerDeps, 'presets'>;

/** Presets of the calling key (contract, POST /presets; design, presets). */
export function registerPresets(app: FastifyInstance, deps: PresetDeps): void {
  registerCreate(app, deps);
  registerReads(app, deps);
  registerReplace(app, deps);
  app.register(async (scope) => {
    ignoreBodies(scope);
    registerRemove(scope, deps);
  });
}

function registerCreate(app: FastifyInstance, { presets }: PresetDeps): void {
  app.withTypeProvider<ZodTypeProvider>().post('/presets', {
    schema: {
      summary: 'Save filters as a preset',
      tags,
      body: presetBodySchema,
      response: {
        200: createdSchema,
        409: errorSchema.describe('The key has as many presets as it may.'),
        ...bodyReplies,
        ...invalidReply,
        ...protectedReplies,
      },
    },
    async handler(request, reply) {
      const preset = await presets.create(callerOf(request).key.id, requestOf(request.body));
      if (preset === null) return reply.code(409).send(FULL);
      return { id: preset.id, name: preset.name };
    },
  });
}

function registerReads(app: FastifyInstance, { presets }: PresetDeps): void {
  const typed = app.withTypeProvider<ZodTypeProvider>();
  typed.get('/presets', {
    schema: {
      summary: 'The presets of the calling key, oldest first',
      tags,
      response: { 200: z.array(presetSchema), ...protectedReplies },
    },
    async handler(request) {
      return (await presets.list(callerOf(request).key.id)).map(presetView);
    },
  });
  typed.get('/presets/:id', {
    schema: {
      summary: 'One preset',
      tags,
      params: paramsSchema,
      response: { 200: presetSchema, 404: errorSchema, ...protectedReplies },
    },
    async handler(request, reply) {
      const { id } = request.params;
      const preset = await presets.get(callerOf(request).key.id, id);
      return preset === null ? reply.code(404).send(presetNotFound(id)) : presetView(preset);
    },
  });
}

function registerReplace(app: FastifyInstance, { presets }: PresetDeps): void {
  app.withTypeProvider<ZodTypeProvider>().put('/presets/:id', {
    schema: {
      summary: 'Replace the name and filters of a preset',
      tags,
      params: paramsSchema,
      body: presetBodySchema,
      response: {
        200: presetSchema,
        404: errorSchema,
        ...bodyReplies,
        ...invalidReply,
        ...protectedReplies,
      },
    },
    async handler(request, reply) {
      const { id } = request.params;
      const preset = await presets.replace(callerOf(request).key.id, id, requestOf(request.body));
      return preset === null ? reply.code(404).send(presetNotFound(id)) : presetView(preset);
    },
  });
}

function registerRemove(app: FastifyInstance, { presets }: PresetDeps): void {
  app.withTypeProvider<ZodTypeProvider>().delete('/presets/:id', {
    schema: {
      summary: 'Delete a preset',
      tags,
      params: paramsSchema,
      response: {
        204: z.null().describe('It is gone.'),
        404: errorSchema,
        415: errorSchema,
        ...protectedReplies,
      },
    },
    async handler(request, reply) {
      const { id } = request.params;
      const isRemoved = await presets.remove(callerOf(request).key.id, id);
      return isRemoved ? reply.code(204).send(null) : reply.code(404).send(presetNotFound(id));
    },
  });
}

function requestOf({ name, filters, created_at }: z.infer<typeof presetBodySchema>) {
  return { name, filters, createdAt: created_at ?? null };
}

function presetView({ id, name, filters, createdAt }: Preset): z.infer<typeof presetSchema> {
  return { id, name, filters: { ...filters }, created_at: dateTime(createdAt) };
}
