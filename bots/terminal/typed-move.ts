import type { Move } from '../shared/conversation.ts';
import type { Screen } from '../shared/screen.ts';

/** A move, an address to open, or null for an empty line. */
export type Typed = Move | { readonly kind: 'open'; readonly url: string } | null;

/** What a line means under a screen: a `/command`, a button by its number or label, or text. */
export function typedMove(line: string, { buttons }: Pick<Screen, 'buttons'>): Typed {
  const text = line.trim();
  if (text === '') return null;
  if (text.startsWith('/')) {
    const [name = '', ...argument] = text.slice(1).split(/\s+/);
    return { kind: 'command', name: name.toLowerCase(), argument: argument.join(' ') };
  }
  const all = buttons.flat();
  const button = /^\d+$/.test(text)
    ? all[Number(text) - 1]
    : all.find(({ label }) => label.toLowerCase() === text.toLowerCase());
  if (button === undefined) return { kind: 'text', text };
  return 'url' in button ? { kind: 'open', url: button.url } : { kind: 'tap', action: button.action };
}
