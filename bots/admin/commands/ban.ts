import { type ActCommand, done } from '../command.ts';
import { oneCustomer, whoText } from '../customers.ts';
import { parseOneArgument } from '../parse-arguments.ts';

export const banCommand: ActCommand = {
  kind: 'act',
  name: 'ban',
  isIrreversible: true,
  usage: 'ban CUSTOMER',
  description: 'Revokes the customer’s keys and refuses new ones; the customer is not notified',
  parse: (argument) =>
    parseOneArgument(argument, 'CUSTOMER', (text) => async (deps) => {
      const customer = await oneCustomer(deps, text);
      if ('refused' in customer) return customer;
      const { id } = customer;
      const recorded = { args: id, personal: [whoText(customer)] };
      if (customer.bannedAt !== null) return { ...recorded, refused: `${id} is banned already.` };
      const keys = await deps.customers.keysOf(id);
      const body = [
        ['Ban ', { bold: id }, ` (${whoText(customer)})?`],
        [
          `Their keys (${keys.length}) are revoked permanently, and they get no others. They are not notified.`,
        ],
      ];
      return {
        ...recorded,
        question: { body, yes: 'Ban' },
        act: async () =>
          (await deps.customers.ban(id)) ? done(`${id} is banned.`) : { refused: `${id} is gone.` },
      };
    }),
};

export const unbanCommand: ActCommand = {
  kind: 'act',
  name: 'unban',
  isIrreversible: false,
  usage: 'unban CUSTOMER',
  description: 'Lets a banned customer get keys again; those that were revoked stay so',
  parse: (argument) =>
    parseOneArgument(argument, 'CUSTOMER', (text) => async (deps) => {
      const customer = await oneCustomer(deps, text);
      if ('refused' in customer) return customer;
      const { id } = customer;
      if (customer.bannedAt === null) return { args: id, refused: `${id} is not banned.` };
      return {
        args: id,
        act: async () =>
          (await deps.customers.unban(id))
            ? done(`${id} is not banned any more.`)
            : { refused: `${id} is gone.` },
      };
    }),
};
