/**
 * The canonical JSON text of a value (RFC 8785, JCS): members sorted by the UTF-16 code units of their names, no white
 * space, numbers as ECMAScript writes them. Equal values give equal texts, whatever the order in which their members were
 * added. Throws a TypeError on what JSON cannot hold exactly: `undefined`, NaN, Infinity, text with half of a surrogate
 * pair, and objects that are neither plain nor arrays.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return textOf(value);
  if (typeof value === 'number') return numberOf(value);
  if (Array.isArray(value)) return `[${Array.from(value, canonicalJson).join(',')}]`;
  if (isPlain(value)) return objectOf(value);
  throw new TypeError(`canonical JSON: ${typeName(value)} is not a JSON value`);
}

function textOf(text: string): string {
  if (!text.isWellFormed()) throw new TypeError('canonical JSON: the text contains half of a surrogate pair');
  return JSON.stringify(text);
}

function numberOf(number: number): string {
  if (!Number.isFinite(number)) throw new TypeError(`canonical JSON: ${number} is not a JSON number`);
  return String(number);
}

function objectOf(object: Readonly<Record<string, unknown>>): string {
  // The default order of sort() is that of UTF-16 code units.
  const names = Object.keys(object).sort();
  return `{${names.map((name) => `${textOf(name)}:${canonicalJson(object[name])}`).join(',')}}`;
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function typeName(value: unknown): string {
  return typeof value === 'object' ? (value?.constructor.name ?? 'object') : typeof value;
}
