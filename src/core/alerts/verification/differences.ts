import { canonicalJson } from '../../base/text/canonical-json.ts';
import { isJsonObject, type Json, type JsonObject } from '../log/log-entry.ts';

/** A field that two statements of one alert do not agree in. */
export interface Difference {
  /** For example `details.traded_at`. */
  readonly field: string;
  readonly expected: string;
  readonly found: string;
}

const NOTHING = 'nothing';

/**
 * The first field of an entry's body that another statement of the same thing has otherwise. Fields that only the other has
 * do not count: later versions add some. `isWhole`: fields that the other lacks do count.
 */
export function firstDifference(
  body: JsonObject,
  other: JsonObject,
  { isWhole }: { readonly isWhole: boolean },
): Difference | null {
  for (const [name, value] of Object.entries(body)) {
    const found = other[name];
    if (found === undefined && !isWhole) continue;
    const difference = differenceIn(name, value, found, isWhole);
    if (difference !== null) return difference;
  }
  return null;
}

function differenceIn(
  field: string,
  value: Json,
  found: Json | undefined,
  isWhole: boolean,
): Difference | null {
  if (isJsonObject(value) && isJsonObject(found)) {
    const within = firstDifference(value, found, { isWhole });
    return within === null ? null : { ...within, field: `${field}.${within.field}` };
  }
  return unlike(field, value, found);
}

/** The difference of two values of a field; null when they are equal. */
export function unlike(field: string, expected: Json, found: Json | undefined): Difference | null {
  const [wanted, actual] = [textOf(expected), found === undefined ? NOTHING : textOf(found)];
  return wanted === actual ? null : { field, expected: wanted, found: actual };
}

/** Canonical JSON; plain JSON if a string is not valid Unicode. */
function textOf(value: Json): string {
  try {
    return canonicalJson(value);
  } catch {
    return JSON.stringify(value);
  }
}
