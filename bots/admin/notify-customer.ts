import type { Handle } from '../../src/core/accounts/customers/customer.ts';
import { CHANNELS } from '../../src/core/chat/chat-message.ts';
import type { Paragraph } from '../shared/screen.ts';
import type { ConsoleDeps } from './console-deps.ts';

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
