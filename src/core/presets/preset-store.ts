import type { Preset } from './preset.ts';

/** Where presets rest. Each belongs to a key: under another key's id it does not exist. */
export interface PresetStore {
  /** False, and nothing stored, when the key has `cap` presets already; many at once stay within it, too. */
  insert(preset: Preset, cap: number): Promise<boolean>;
  /** Oldest first, ties by id. */
  listByKey(keyId: string): Promise<readonly Preset[]>;
  get(keyId: string, id: string): Promise<Preset | null>;
  /** Puts the preset in the place of the one with its id and key; false when there is none. */
  replace(preset: Preset): Promise<boolean>;
  /** False when there was none. */
  remove(keyId: string, id: string): Promise<boolean>;
}
