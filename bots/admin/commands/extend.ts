import { utcMinute } from '../../../src/core/base/text/formats.ts';
import { type ActCommand, done } from '../command.ts';
import { notifyCustomer, oneCustomer } from '../customers.ts';
import { wholeNumber } from '../parse-arguments.ts';

const NO_KEY_IN_IT =
  'No key of theirs is in it, so nothing changes for them, and they are not notified: “tier KEY pro” gives a key 30 days.';
const DAYS = { min: 1, max: 365 } as const;

export const extendCommand: ActCommand = {
  kind: 'act',
  name: 'extend',
  isIrreversible: false,
  usage: 'extend CUSTOMER DAYS',
  description: 'Extends a customer’s trial; one that ended continues from now. The customer is notified',
  parse(argument) {
    const [, who = '', number = ''] = /^(.*?)\s*(\S*)$/s.exec(argument) ?? [];
    const days = wholeNumber(number, DAYS);
    if (who === '') return { wrong: 'CUSTOMER and DAYS are needed.' };
    if (days === null) return { wrong: `DAYS is a whole number from ${DAYS.min} to ${DAYS.max}.` };
    return async (deps) => {
      const customer = await oneCustomer(deps, who);
      if ('refused' in customer) return customer;
      const { id } = customer;
      const args = `${id} ${days}`;
      if (customer.trial === null) return { args, refused: `${id} never had a trial.` };
      return {
        args,
        async act() {
          const result = await deps.customers.trials.extend(id, days);
          if (result === 'unknown_customer') return { refused: `${id} is gone.` };
          if (result === 'no_trial' || result.trial === null) {
            return { refused: `${id} never had a trial.` };
          }
          const { endsAt } = result.trial;
          const end = utcMinute(endsAt);
          const keys = await deps.customers.keysOf(id);
          if (
            result.bannedAt === null &&
            !keys.some(({ trialEndsAt }) => trialEndsAt !== null && trialEndsAt >= endsAt)
          ) {
            return done(`The trial of ${id} ends on ${end}.`, [[NO_KEY_IN_IT]]);
          }
          return done(
            `The trial of ${id} ends on ${end}.`,
            await notifyCustomer(deps, id, `Your Pro trial was extended: it ends on ${end}.`),
          );
        },
      };
    };
  },
};
