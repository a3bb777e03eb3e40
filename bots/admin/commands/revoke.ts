import { effectiveTier } from '../../../src/core/accounts/keys/api-key.ts';
import { type ActCommand, done } from '../command.ts';
import { keyText, notifyCustomer, oneKey } from '../customers.ts';
import { parseOneArgument } from '../parse-arguments.ts';

export const revokeCommand: ActCommand = {
  kind: 'act',
  name: 'revoke',
  isIrreversible: true,
  usage: 'revoke KEY',
  description: 'Revokes a key permanently, within 5 seconds; its owner is notified',
  parse: (argument) =>
    parseOneArgument(argument, 'KEY', (text) => async (deps) => {
      const key = await oneKey(deps, text);
      if ('refused' in key) return key;
      const named = keyText(key);
      const recorded = { personal: [`“${key.name}”`] };
      if (key.revokedAt !== null) return { ...recorded, refused: `The key ${named} is revoked already.` };
      const owner = key.customerId === null ? 'It has no chat customer.' : `It is ${key.customerId}’s.`;
      return {
        ...recorded,
        question: {
          body: [
            [
              'Revoke the ',
              { bold: `${effectiveTier(key, deps.clock.now())} key ${named}` },
              `? ${owner} This is permanent.`,
            ],
          ],
          yes: 'Revoke',
        },
        async act() {
          if (!(await deps.keys.revoke(key.id, deps.clock.now()))) return { refused: `${named} is gone.` };
          const told = await notifyCustomer(
            deps,
            key.customerId,
            `The operator revoked your key “${key.name}”.`,
          );
          return done(`The key ${named} is revoked.`, told);
        },
      };
    }),
};
