import { ts } from '@ts-morph/common';
import { lineAt, nodesOf, type Source } from './sources.ts';

/** Words that once had a meaning of their own in this code, and the term that replaced each (docs/glossary.md). */
export const PRIVATE_WORDS: Readonly<Record<string, string>> = {
  desk: 'conversation',
  door: 'authentication, credential',
  hearing: 'pending question',
  house: 'container, service',
  insist: 'retry',
  lane: 'queue',
  mind: 'memory, state',
  offer: 'enqueue',
  place: 'position, index, channel, source: what it is',
  pulse: 'heartbeat',
  sighting: 'observation, row',
  turn: 'slot, move',
  vanish: 'expire',
};

/** A name with a private word that stays. */
interface AllowedName {
  readonly name: string;
  /** Files in which it may be used; all where it is left out. */
  readonly files?: RegExp;
  readonly reason: string;
}

const CHAT = /^(?:src\/core\/chat|src\/infra\/(?:mongo|sqlite|stores)\/chat-|bots\/)/;

/** Names of stored or published things, which never change, and terms of the platform. */
export const ALLOWED_NAMES: readonly AllowedName[] = [
  { name: 'lane', files: CHAT, reason: 'column and field of chat_messages' },
  { name: 'place', files: CHAT, reason: 'column and field of chat_messages, and of the facts of key_leaked' },
  { name: 'pulses', reason: 'table and collection of heartbeats' },
  { name: 'feed_sightings_total', reason: 'metric tipoff_feed_sightings_total' },
  { name: 'offered', files: /catch-up-progress\.ts$/, reason: 'log field' },
  { name: 'nextTurn', reason: 'the next turn of the event loop (setImmediate)' },
  { name: 'TURNED', files: /webhook-url\.ts$/, reason: 'bytes of an address turned round' },
];

/** Names that are still to be renamed: remove an entry when its name is gone. */
export const NAMES_TO_RENAME: readonly Omit<AllowedName, 'reason'>[] = [
  { name: 'PLACE' },
  { name: 'place' },
  { name: 'placed' },
  { name: 'places' },
  { name: 'isPlaced' },
];

/** A private word in a name of a file or of the code. */
export interface PrivateName {
  readonly where: string;
  readonly name: string;
  readonly instead: string;
}

/** File names, identifiers and names that are written as strings with a private word, those that may stay left out. */
export function privateNames(
  { file, tree }: Source,
  allowed: readonly Omit<AllowedName, 'reason'>[] = [...ALLOWED_NAMES, ...NAMES_TO_RENAME],
): readonly PrivateName[] {
  const found: PrivateName[] = [];
  const add = (name: string, where: string) => {
    const instead = termFor(name);
    const stays = allowed.some((entry) => entry.name === name && (entry.files?.test(file) ?? true));
    if (instead !== null && !stays) found.push({ where, name, instead });
  };
  for (const part of file.split('/')) add(part.replace(/\.ts$/, ''), file);
  for (const node of nodesOf(tree))
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node) || isNameAsString(node))
      add(node.text, `${file}:${lineAt(tree, node.getStart(tree))}`);
  return found;
}

function isNameAsString(node: ts.Node): node is ts.StringLiteral {
  return ts.isStringLiteral(node) && /^\w+$/.test(node.text);
}

/** The term for the private word in a name, `null` where it has none. */
function termFor(name: string): string | null {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const forms = words.flatMap((word) => [
    word,
    word.replace(/(?:e?s|e?d|ing)$/, ''),
    word.replace(/[sd]$/, ''),
  ]);
  const word = forms.find((form) => Object.hasOwn(PRIVATE_WORDS, form));
  return word === undefined ? null : (PRIVATE_WORDS[word] ?? null);
}
