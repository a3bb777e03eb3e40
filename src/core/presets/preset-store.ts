import type { Preset } from './preset.ts';

/** Stored presets. Each belongs to a key: for another key it does not exist. */
export interface PresetStore {
  /** False if the key has `cap` presets. Concurrent inserts do not exceed the cap. */
  insert(preset: Preset, cap: number): Promise<boolean>;
  /** Oldest first, ties by id. */
  listByKey(keyId: string): Promise<readonly Preset[]>;
  get(keyId: string, id: string): Promise<Preset | null>;
  /** Replaces the preset with the same id and key; false if there is none. */
  replace(preset: Preset): Promise<boolean>;
  /** False if there is none. */
  remove(keyId: string, id: string): Promise<boolean>;
}
