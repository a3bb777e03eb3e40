import type { Customer } from '../../../src/core/accounts/customers/customer.ts';
import { CHANNELS } from '../../../src/core/chat/chat-message.ts';
import type { Paragraph } from '../../shared/screen.ts';
import { type ConsoleCommand, done, type Plan, quote, type Refusal } from '../command.ts';
import type { ConsoleDeps } from '../console-deps.ts';

export const banCommand: ConsoleCommand = {
  isIrreversible: true,
  usage: 'ban CUSTOMER [off]',
  description: 'Revokes the customer’s keys and refuses new ones, until “off”; the customer is not notified',
  async run(argument, deps) {
    const [, text = '', off] = /^(.*?)(\s+off)?$/is.exec(argument) ?? [];
    const customer = await oneCustomer(deps.customers, text);
    if ('refused' in customer) return customer;
    return off === undefined ? banning(deps, customer) : unbanning(deps, customer);
  },
};

async function banning({ customers }: ConsoleDeps, customer: Customer): Promise<Plan> {
  const { id } = customer;
  const recorded = { args: id, personal: [whoText(customer)] };
  if (customer.bannedAt !== null) return { ...recorded, refused: `${id} is banned already.` };
  const keys = await customers.keysOf(id);
  const body = [
    ['Ban ', { bold: id }, ` (${whoText(customer)})?`],
    [`Their keys (${keys.length}) are revoked permanently, and they get no others. They are not notified.`],
  ];
  return {
    ...recorded,
    question: { body, yes: 'Ban' },
    act: async () => ((await customers.ban(id)) ? done(`${id} is banned.`) : gone(id)),
  };
}

function unbanning({ customers }: ConsoleDeps, { id, bannedAt }: Customer): Plan {
  const args = `${id} off`;
  if (bannedAt === null) return { args, refused: `${id} is not banned.` };
  return {
    args,
    act: async () => ((await customers.unban(id)) ? done(`${id} is not banned any more.`) : gone(id)),
  };
}

export const eraseCommand: ConsoleCommand = {
  isIrreversible: true,
  usage: 'erase CUSTOMER',
  description: 'Deletes a customer’s keys and data, as their own /delete does; the customer is not notified',
  async run(text, { customers, removeKeyMessages }) {
    const customer = await oneCustomer(customers, text);
    if ('refused' in customer) return customer;
    const { id } = customer;
    const keys = await customers.keysOf(id);
    const body = [
      ['Erase ', { bold: id }, ` (${whoText(customer)})?`],
      [
        `Their keys (${keys.length}) stop working, and their data is deleted, follows included. They are not notified. This cannot be undone.`,
      ],
    ];
    return {
      args: id,
      personal: [whoText(customer)],
      question: { body, yes: 'Erase' },
      async act() {
        if ((await customers.byId(id)) === null) return gone(id);
        // Messages that show a key are removed first: after the erasure they are not known any more.
        const left = await removeKeyMessages(customer);
        await customers.erase(id);
        const rest = `Messages with a key that stay in their chat: ${left}. The key in them no longer works.`;
        return done(`${id} is erased.`, left === 0 ? [] : [[rest]]);
      },
    };
  },
};

const NAMED = 5;

export async function oneCustomer(
  customers: ConsoleDeps['customers'],
  text: string,
): Promise<Customer | Refusal> {
  const found = await customers.find(withoutEllipsis(text));
  const [first] = found;
  const unnamed = { args: '…', personal: [quote(text), ...found.map(whoText)] };
  if (first === undefined) return { ...unnamed, refused: `No customer matches ${quote(text)}.` };
  if (found.length === 1) return first;
  const some = found.slice(0, NAMED).map((customer) => `${customer.id} (${whoText(customer)})`);
  return {
    ...unnamed,
    refused: `${quote(text)} matches ${found.length} customers: ${some.join(', ')}. Name one by its id.`,
  };
}

export function gone(name: string): Refusal {
  return { refused: `${name} no longer exists.` };
}

/** The beginning of a key is shown with `…`, which may be copied with it. */
export function withoutEllipsis(text: string): string {
  return text.replace(/…$/, '');
}

export function whoText({ platform, userId, name }: Customer): string {
  return name === null ? `${platform}:${userId}` : `${platform} @${name} (${platform}:${userId})`;
}

/** Adds a note to a customer to the outbox and returns lines about the outcome. A failure does not undo the act. */
export async function notifyCustomer(
  { customers, database, random, clock, logger }: ConsoleDeps,
  customerId: string | null,
  text: string,
): Promise<readonly Paragraph[]> {
  if (customerId === null) return [];
  try {
    const customer = await customers.byId(customerId);
    if (customer === null) return [];
    if (!takesMessages(customer)) return [['They get no message: no bot can write to them.']];
    const now = clock.now();
    const id = `operator_note:${random.base64url(12)}`;
    const recipient = `customer:${customerId}` as const;
    const kind = 'operator_note' as const;
    await database.chat.add([{ id, recipient, kind, facts: { text }, createdAt: now, dueAt: now }]);
    return [['They get this message: ', { italic: text }]];
  } catch (error) {
    logger.error({ err: error, customer: customerId }, 'note to a customer not stored');
    return [['They get no message: the outbox is not answering.']];
  }
}

function takesMessages({ platform, isReachable }: Customer): boolean {
  return isReachable && CHANNELS.some((channel) => channel === platform);
}
