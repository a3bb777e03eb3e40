import type { EpochMs } from '../trade.ts';

/** What one filter of a preset asks for; null is a filter that is not set. */
export type FilterValue = string | number | boolean | null;

/** Filters by name, as they were given: what a name means is the business of who applies them. */
export type PresetFilters = Readonly<Record<string, FilterValue>>;

/** Filters that a key saved under a name (contract, Preset). */
export interface Preset {
  /** `preset_` and 16 characters. */
  readonly id: string;
  /** The record of the key it belongs to; a rotation of the key keeps it. */
  readonly keyId: string;
  readonly name: string;
  readonly filters: PresetFilters;
  /** What the client said, else when it was saved. */
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
