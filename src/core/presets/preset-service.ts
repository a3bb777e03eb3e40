import type { Clock } from '../clock.ts';
import type { RandomText } from '../random-text.ts';
import type { EpochMs } from '../trade.ts';
import { PRESET_LIMITS, type Preset, type PresetFilters } from './preset.ts';
import type { PresetStore } from './preset-store.ts';

/** What a client says of a preset; validated. */
export interface PresetRequest {
  readonly name: string;
  readonly filters: PresetFilters;
  /** Null: now for a new preset, unchanged for one that is replaced. */
  readonly createdAt: EpochMs | null;
}

/** Saves, lists and changes presets. A preset of another key does not exist. */
export interface PresetService {
  /** Null when the key has as many presets as `PRESET_LIMITS.perKey`. */
  create(keyId: string, request: PresetRequest): Promise<Preset | null>;
  /** Oldest first. */
  list(keyId: string): Promise<readonly Preset[]>;
  get(keyId: string, id: string): Promise<Preset | null>;
  /** The preset as it is afterwards; null when there is none. */
  replace(keyId: string, id: string, request: PresetRequest): Promise<Preset | null>;
  /** False when there was none. */
  remove(keyId: string, id: string): Promise<boolean>;
}

/** What the service stands on. */
export interface PresetServiceDeps {
  readonly presets: PresetStore;
  readonly random: RandomText;
  readonly clock: Pick<Clock, 'now'>;
}

/** base64url makes 16 characters of them. */
const ID_BYTES = 12;

/** The service over a store. What the store throws goes through. */
export function createPresetService({ presets, random, clock }: PresetServiceDeps): PresetService {
  return {
    async create(keyId, { name, filters, createdAt }) {
      const id = `preset_${random.base64url(ID_BYTES)}`;
      const preset = { id, keyId, name, filters, createdAt: createdAt ?? clock.now() };
      return (await presets.insert(preset, PRESET_LIMITS.perKey)) ? preset : null;
    },
    list: (keyId) => presets.listByKey(keyId),
    get: (keyId, id) => presets.get(keyId, id),
    async replace(keyId, id, { name, filters, createdAt }) {
      const found = await presets.get(keyId, id);
      if (found === null) return null;
      const preset = { ...found, name, filters, createdAt: createdAt ?? found.createdAt };
      return (await presets.replace(preset)) ? preset : null;
    },
    remove: (keyId, id) => presets.remove(keyId, id),
  };
}
