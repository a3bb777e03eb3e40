import type { Customer, Handle } from '../../src/core/accounts/customers/customer.ts';
import type { ApiKey } from '../../src/core/accounts/keys/api-key.ts';
import { lookupOfStart } from '../../src/core/accounts/keys/key-text.ts';
import { CHANNELS } from '../../src/core/chat/chat-message.ts';
import type { Paragraph } from '../shared/screen.ts';
import type { Refusal } from './command.ts';
import type { ConsoleDeps } from './console-deps.ts';
import { quote } from './parse-arguments.ts';

const NAMED = 5;

/** The one customer that matches a text. */
export async function oneCustomer(
  { customers }: Pick<ConsoleDeps, 'customers'>,
  text: string,
): Promise<Customer | Refusal> {
  const found = await customers.find(withoutEllipsis(text));
  const [first] = found;
  const unnamed = { args: '…', personal: [quote(text), ...found.map(whoText)] };
  if (first === undefined) return { ...unnamed, refused: `No customer is found by ${quote(text)}.` };
  if (found.length === 1) return first;
  const some = found.slice(0, NAMED).map((customer) => `${customer.id} (${whoText(customer)})`);
  return {
    ...unnamed,
    refused: `${quote(text)} means ${found.length} customers: ${some.join(', ')}. Name one by its id.`,
  };
}

/** The key with the id `key_…`, or with this beginning. */
export async function oneKey({ keys }: Pick<ConsoleDeps, 'keys'>, text: string): Promise<ApiKey | Refusal> {
  const lookup = lookupIn(text);
  const key = lookup === null ? await keys.byId(text) : await keys.byLookup(lookup);
  return (
    key ?? {
      refused: `No key is found by ${quote(text)}. Keys are named key_… or by the beginning sk_live_….`,
    }
  );
}

/** The lookup part of a key or of its beginning; null for other texts. */
export function lookupIn(text: string): string | null {
  return lookupOfStart(withoutEllipsis(text));
}

/** The beginning of a key is shown with `…`, which may be copied with it. */
export function withoutEllipsis(text: string): string {
  return text.replace(/…$/, '');
}

/** Names a customer: `telegram @ann`. */
export function whoText({ handles }: Pick<Customer, 'handles'>): string {
  return handles.length === 0 ? 'no chat' : handles.map(handleText).join(', ');
}

export function handleText({ platform, userId, name }: Handle): string {
  return name === null ? `${platform}:${userId}` : `${platform} @${name} (${platform}:${userId})`;
}

/** Names a key: its label and id. */
export function keyText({ id, name }: Pick<ApiKey, 'id' | 'name'>): string {
  return `“${name}” (${id})`;
}

type Deps = Pick<ConsoleDeps, 'customers' | 'outbox' | 'random' | 'clock' | 'logger'>;

/** Adds a note to a customer to the outbox and returns lines about the outcome. A failure does not undo the act. */
export async function notifyCustomer(
  deps: Deps,
  customerId: string | null,
  text: string,
): Promise<readonly Paragraph[]> {
  if (customerId === null) return [];
  try {
    const customer = await deps.customers.byId(customerId);
    if (customer === null) return [];
    if (customer.bannedAt !== null) return [['They are banned and get no message.']];
    if (!customer.handles.some(takesMessages)) {
      return [['They get no message: no bot can write to them.']];
    }
    const now = deps.clock.now();
    const id = `operator_note:${deps.random.base64url(12)}`;
    const recipient = `customer:${customerId}` as const;
    const kind = 'operator_note' as const;
    await deps.outbox.add([{ id, recipient, kind, facts: { text }, createdAt: now, dueAt: now }]);
    return [['They get this message: ', { italic: text }]];
  } catch (error) {
    deps.logger.error({ err: error, customer: customerId }, 'note to a customer not stored');
    return [['They get no message: the outbox does not answer.']];
  }
}

function takesMessages({ platform, isReachable }: Handle): boolean {
  return isReachable && CHANNELS.some((channel) => channel === platform);
}
