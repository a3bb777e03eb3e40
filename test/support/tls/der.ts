/** The parts of DER (ITU-T X.690) that a certificate is made of. */

export function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const bytes = bytesOf(body.length);
  const length = body.length < 0x80 ? bytes : [0x80 | bytes.length, ...bytes];
  return Buffer.concat([Uint8Array.of(tag, ...length), body]);
}

export const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
export const set = (...parts: readonly Uint8Array[]) => der(0x31, ...parts);
export const octets = (...parts: readonly Uint8Array[]) => der(0x04, ...parts);
export const text = (value: string) => der(0x0c, Buffer.from(value));
export const truth = () => der(0x01, Uint8Array.of(0xff));
export const bits = (bytes: Uint8Array, unused = 0) => der(0x03, Uint8Array.of(unused), bytes);
/** Part `number` of a structure, with parts of its own. */
export const tagged = (number: number, ...parts: readonly Uint8Array[]) => der(0xa0 | number, ...parts);

export function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/\D/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}

/** An object identifier, such as `2.5.29.17`. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(0x06, Uint8Array.from([40 * first + second, ...rest].flatMap(base128)));
}

function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let left = value >>> 7; left > 0; left >>>= 7) digits.unshift((left & 0x7f) | 0x80);
  return digits;
}

function bytesOf(value: number): number[] {
  return value < 0x100 ? [value] : [...bytesOf(value >>> 8), value & 0xff];
}
