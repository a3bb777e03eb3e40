import type { KeyLimits } from '../../../src/core/accounts/keys/api-key.ts';
import { type ActCommand, screenOf, type Wrong } from '../command.ts';
import { notifyCustomer, oneCustomer } from '../customers.ts';
import { splitArguments, wholeNumber } from '../parse-arguments.ts';

interface Provision {
  readonly label: string;
  /** Null: a key without an owner in chat. */
  readonly whom: string | null;
  readonly limits: KeyLimits | null;
}

const BOUNDS = { rpm: { min: 1, max: 1_000_000 }, sockets: { min: 1, max: 10_000 } } as const;

export const provisionCommand: ActCommand = {
  kind: 'act',
  name: 'provision',
  isIrreversible: false,
  usage: 'provision LABEL [for CUSTOMER] [rpm=N] [sockets=N]',
  description: 'A new Enterprise key, shown once; for a customer, or without one',
  parse(argument) {
    const provision = provisionOf(argument);
    if ('wrong' in provision) return provision;
    const { label, whom, limits } = provision;
    return async (deps) => {
      const customer = whom === null ? null : await oneCustomer(deps, whom);
      if (customer !== null && 'refused' in customer) {
        return { ...customer, refused: `${customer.refused} Put a label that contains “for” in quotes.` };
      }
      const customerId = customer?.id ?? null;
      const recorded = customerId === null ? {} : { args: argumentsFor(customerId, provision) };
      if (customer !== null && customer.bannedAt !== null)
        return { ...recorded, refused: `${customer.id} is banned.` };
      return {
        ...recorded,
        async act() {
          const result = await deps.customers.keys.provision({ customerId, name: label, limits });
          if (!result.ok) return { refused: REFUSALS[result.reason] };
          const { key, secret } = result;
          const said = `Enterprise key ${key.id} for ${customerId ?? 'no chat customer'}, named “${key.name}”.`;
          const told = await notifyCustomer(
            deps,
            customerId,
            `The operator made an Enterprise key for you: “${key.name}”.`,
          );
          const body = [
            [said],
            [{ code: secret }],
            ['This is the only time it is shown: pass it on now, in private.'],
            ...told,
          ];
          const request = `admin:${key.id}`;
          return {
            said,
            screen: { ...screenOf('provisioned', body), secret: { text: secret, keyId: key.id, request } },
          };
        },
      };
    };
  },
};

/** As they are typed, with the id of the customer. */
function argumentsFor(customerId: string, { label, limits }: Provision): string {
  const { requestsPerMinute: rpm = null, maxSockets: sockets = null } = limits ?? {};
  const options = [rpm === null ? '' : ` rpm=${rpm}`, sockets === null ? '' : ` sockets=${sockets}`];
  return `${label} for ${customerId}${options.join('')}`;
}

const REFUSALS = {
  unknown_customer: 'The customer is gone.',
  bad_name: 'LABEL is 1 to 100 printable characters that are not a key.',
  bad_limits: 'These limits cannot be given.',
};

function provisionOf(argument: string): Provision | Wrong {
  const words = splitArguments(argument);
  const isOption = ({ text, isQuoted }: (typeof words)[number]) => !isQuoted && /^(rpm|sockets)=/i.test(text);
  const rest = words.filter((word) => !isOption(word));
  const limits = limitsOf(words.filter(isOption).map(({ text }) => text));
  if (limits !== null && 'wrong' in limits) return limits;
  const at = rest.findLastIndex(({ text, isQuoted }) => !isQuoted && text.toLowerCase() === 'for');
  const joined = (some: typeof rest) => some.map(({ text }) => text).join(' ');
  const label = joined(at === -1 ? rest : rest.slice(0, at));
  const whom = at === -1 ? null : joined(rest.slice(at + 1));
  if (label === '') return { wrong: 'LABEL is missing: say what the key is for.' };
  if (whom === '') return { wrong: 'CUSTOMER is missing after “for”.' };
  return { label, whom, limits };
}

function limitsOf(options: readonly string[]): KeyLimits | null | Wrong {
  const limits: { rpm: number | null; sockets: number | null } = { rpm: null, sockets: null };
  for (const option of options) {
    const [name = '', text = ''] = option.split('=');
    const kind = name.toLowerCase() as keyof typeof limits;
    const { min, max } = BOUNDS[kind];
    const value = wholeNumber(text, { min, max });
    if (value === null) {
      return {
        wrong: `${kind} is a whole number from ${min} to ${max}, for example ${kind}=${min * 100}.`,
      };
    }
    limits[kind] = value;
  }
  return options.length === 0 ? null : { requestsPerMinute: limits.rpm, maxSockets: limits.sockets };
}
