import { canonicalJson } from '../../base/text/canonical-json.ts';
import type { RandomText } from '../../base/text/random-text.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import type { Creation } from '../idempotency.ts';
import { PRESET_LIMITS, type Preset, type PresetFilters, type PresetStore } from './preset.ts';

/** A validated preset from a client. */
export interface PresetRequest {
  readonly name: string;
  readonly filters: PresetFilters;
  /** Null: now for a new preset, unchanged for a replaced one. */
  readonly createdAt: EpochMs | null;
}

interface PresetServiceOptions {
  readonly presets: PresetStore;
  readonly random: RandomText;
  readonly clock: Pick<Clock, 'now'>;
}

/** Gives 16 characters in base64url. */
const ID_BYTES = 12;

/** The presets of keys. A preset of another key does not exist. */
export class PresetService {
  readonly #options: PresetServiceOptions;

  constructor(options: PresetServiceOptions) {
    this.#options = options;
  }

  /** A new preset. A key has at most `PRESET_LIMITS.perKey`. */
  creation(keyId: string, { name, filters, createdAt }: PresetRequest): Creation {
    const { presets, random, clock } = this.#options;
    return {
      newId: () => `preset_${random.base64url(ID_BYTES)}`,
      async find(id) {
        const preset = await presets.get(keyId, id);
        if (preset === null) return 'missing';
        const asked = { name, filters, createdAt: createdAt ?? preset.createdAt };
        return contentOf(preset) === contentOf(asked) ? 'unchanged' : 'changed';
      },
      insert(id) {
        const preset = { id, keyId, name, filters, createdAt: createdAt ?? clock.now() };
        return presets.insert(preset, PRESET_LIMITS.perKey);
      },
    };
  }

  /** Oldest first. */
  list(keyId: string): Promise<readonly Preset[]> {
    return this.#options.presets.listByKey(keyId);
  }

  get(keyId: string, id: string): Promise<Preset | null> {
    return this.#options.presets.get(keyId, id);
  }

  /** The new preset; null if there is none to replace. */
  async replace(keyId: string, id: string, request: PresetRequest): Promise<Preset | null> {
    const { presets } = this.#options;
    const found = await presets.get(keyId, id);
    if (found === null) return null;
    const { name, filters, createdAt } = request;
    const preset = { ...found, name, filters, createdAt: createdAt ?? found.createdAt };
    return (await presets.replace(preset)) ? preset : null;
  }

  /** False if there is none. */
  remove(keyId: string, id: string): Promise<boolean> {
    return this.#options.presets.remove(keyId, id);
  }
}

function contentOf({ name, filters, createdAt }: PresetRequest): string {
  return canonicalJson({ name, filters, createdAt });
}
