import type { EpochMs } from '../trade.ts';

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
