import { expect } from 'vitest';

/** Names of elements of an SVG file that are open at its end. Each end must match its start. */
export function openElements(text: string): readonly string[] {
  const open: string[] = [];
  for (const [, end, name = '', single] of text.matchAll(/<(\/?)([a-z]+)(?:\s[^<>]*?)?(\/?)>/g)) {
    if (end === '/') expect(open.pop()).toBe(name);
    else if (single !== '/') open.push(name);
  }
  return open;
}
