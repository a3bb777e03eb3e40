/** An unvalidated JSON object. */
export type RawRow = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is RawRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Undefined for invalid JSON: no JSON value is undefined. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
