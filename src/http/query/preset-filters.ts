import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { PresetFilters, PresetService } from '../../core/accounts/presets/preset.ts';
import { callerOf } from '../hooks/api-key-auth.ts';
import { refuse } from '../hooks/refuse.ts';
import { addUnknownParameters, namesBeside } from '../hooks/unknown-parameters.ts';
import { parameter } from '../schemas/fields.ts';
import { KNOWN_FILTERS, parseFilter } from './filter-values.ts';

const ID_LENGTH = 100;

type KnownQuery = Partial<z.infer<z.ZodObject<typeof KNOWN_FILTERS>>>;

export const presetShape = {
  preset: parameter(
    z.string().min(1).max(ID_LENGTH),
    'Id of a preset whose filters are applied. Filters in the query take precedence.',
    'preset_mR8qX2vT0aLw5bNz',
  ),
};

/** Null if the key has no such preset. A query with defaults for `page` and `page_size` would have precedence over the preset. */
export async function applyPreset<Query extends KnownQuery & { readonly preset?: string | undefined }>(
  query: Query,
  presets: PresetService,
  reply: FastifyReply,
): Promise<Query | null> {
  if (query.preset === undefined) return query;
  const preset = await presets.store.get(callerOf(reply.request).key.id, query.preset);
  if (preset === null) return null;
  listUnknownFilters(reply, preset.filters);
  return { ...queryOf(preset.filters), ...query };
}

export const feedPresetShape = {
  preset: parameter(
    z.string().min(1).max(ID_LENGTH),
    'The `feed_token` of a preset, whose filters are applied. Filters in the query take precedence.',
    'Wq3xT0vN8mRzL2kJ5aBcDg',
  ),
};

/** The same by the token that the owner of the preset has given away. */
export async function applyFeedPreset<Query extends KnownQuery & { readonly preset?: string | undefined }>(
  query: Query,
  presets: PresetService,
): Promise<Query | null> {
  if (query.preset === undefined) return query;
  const preset = await presets.ofFeed(query.preset);
  return preset && { ...queryOf(preset.filters), ...query };
}

export function listUnknownFilters(reply: FastifyReply, filters: PresetFilters): void {
  addUnknownParameters(reply, namesBeside(Object.keys(filters), KNOWN_FILTERS));
}

export function refusePreset(reply: FastifyReply, id: string | undefined): FastifyReply {
  return refuse(reply, 'preset_not_found', `Preset ${id} was not found.`);
}

/** A filter that was unknown when it was saved was not validated then: invalid values are ignored. */
function queryOf(filters: PresetFilters): KnownQuery {
  const fitting = Object.entries(filters).flatMap(([name, value]) => {
    const parsed = parseFilter(name, value);
    return parsed?.success === true ? [[name, parsed.data]] : [];
  });
  return Object.fromEntries(fitting);
}
