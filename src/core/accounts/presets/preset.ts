import type { EpochMs } from '../../base/time/duration.ts';

/** The value of a filter; null for a filter that is not set. */
export type FilterValue = string | number | boolean | null;

/** Filters by name, as the client sent them. */
export type PresetFilters = Readonly<Record<string, FilterValue>>;

/** Filters saved by a key (contract, Preset). */
export interface Preset {
  /** `preset_` and 16 characters. */
  readonly id: string;
  /** Id of the key, which a rotation keeps. */
  readonly keyId: string;
  readonly name: string;
  readonly filters: PresetFilters;
  /** From the client, or the time of saving. */
  readonly createdAt: EpochMs;
}

/** Bounds of presets; lengths are in characters (UTF-16 units). */
export const PRESET_LIMITS = {
  perKey: 100,
  nameLength: 100,
  filters: 50,
  filterNameLength: 64,
  filterTextLength: 200,
} as const;

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
