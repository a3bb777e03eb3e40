import { type ApiKey, effectiveTier, type KeyLimits } from '../../../src/core/accounts/keys/api-key.ts';
import { KEY_LIMITS } from '../../../src/core/accounts/keys/key-service.ts';
import { lookupOfStart } from '../../../src/core/accounts/keys/key-text.ts';
import { TIERS, type Tier } from '../../../src/core/accounts/tier.ts';
import { counted, utcMinute } from '../../../src/core/base/text/formats.ts';
import {
  type ConsoleCommand,
  done,
  quote,
  type Refusal,
  screenOf,
  type Wrong,
  wholeNumber,
} from '../command.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { gone, notifyCustomer, oneCustomer, withoutEllipsis } from './customers.ts';

interface Provision {
  readonly label: string;
  /** Null: a key without an owner in chat. */
  readonly whom: string | null;
  readonly limits: KeyLimits | null;
}

const MOST = { rpm: 1_000_000, sockets: 10_000 } as const;
const REFUSALS = {
  unknown_customer: 'The customer no longer exists.',
  bad_name: 'LABEL is 1 to 100 printable characters that are not a key.',
  bad_limits: 'These limits cannot be given.',
};

export const provisionCommand: ConsoleCommand = {
  usage: 'provision LABEL [for CUSTOMER] [rpm=N] [sockets=N]',
  description: 'A new Enterprise key, shown once; for a customer, or without one',
  async run(argument, deps) {
    const provision = provisionOf(argument);
    if ('wrong' in provision) return provision;
    const { label: name, whom, limits } = provision;
    const customer = whom === null ? null : await oneCustomer(deps.customers, whom);
    if (customer !== null && 'refused' in customer)
      return { ...customer, refused: `${customer.refused} Put a label that contains “for” in quotes.` };
    const customerId = customer?.id ?? null;
    const recorded = customerId === null ? {} : { args: argumentsFor(customerId, provision) };
    if (customer !== null && customer.bannedAt !== null)
      return { ...recorded, refused: `${customer.id} is banned.` };
    return {
      ...recorded,
      async act() {
        const result = await deps.customers.keys.provision({ customerId, name, limits });
        if (!result.ok) return { refused: REFUSALS[result.reason] };
        const { key, secret } = result;
        const said = `Enterprise key ${key.id} for ${customerId ?? 'no chat customer'}, named “${key.name}”.`;
        const note = `The operator made an Enterprise key for you: “${key.name}”.`;
        const screen = screenOf('provisioned', [
          [said],
          [{ code: secret }],
          ['This is the only time it is shown: pass it on now, in private.'],
          ...(await notifyCustomer(deps, customerId, note)),
        ]);
        const shown = { text: secret, keyId: key.id, request: `admin:${key.id}` };
        return { said, screen: { ...screen, secret: shown } };
      },
    };
  },
};

function argumentsFor(customerId: string, { label, limits }: Provision): string {
  const { requestsPerMinute: rpm = null, maxSockets: sockets = null } = limits ?? {};
  const options = [rpm === null ? '' : ` rpm=${rpm}`, sockets === null ? '' : ` sockets=${sockets}`];
  return `${label} for ${customerId}${options.join('')}`;
}

/** Words; a quoted text is one word, and only a label. */
function provisionOf(argument: string): Provision | Wrong {
  const found = [...argument.matchAll(/["“„]([^"”“]*)["”“]|(\S+)/g)];
  const words = found.map(([, quoted, plain = '']) => ({
    text: quoted ?? plain,
    isQuoted: quoted !== undefined,
  }));
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
    limits[kind] = wholeNumber(text, 1, MOST[kind]);
    if (limits[kind] === null)
      return { wrong: `${kind} is a whole number from 1 to ${MOST[kind]}, for example ${kind}=100.` };
  }
  return options.length === 0 ? null : { requestsPerMinute: limits.rpm, maxSockets: limits.sockets };
}

export const tierCommand: ConsoleCommand = {
  isIrreversible: true,
  usage: 'tier KEY TIER [DAYS]',
  description: 'Gives a key another tier: free, pro (30 days, or “14d”) or enterprise; its owner is notified',
  async run(argument, deps) {
    const asked = tierAskedIn(argument);
    if ('wrong' in asked) return asked;
    const { text, tier, days } = asked;
    const found = await oneKey(deps, text);
    if ('refused' in found) return found;
    const { key, named, recorded } = found;
    const revoked = { ...recorded, refused: `The key ${named} is revoked permanently.` };
    if (key.revokedAt !== null) return revoked;
    const now = effectiveTier(key, deps.clock.now());
    if (now === tier && key.trialEndsAt === null)
      return { ...recorded, refused: `The key ${named} is ${tier} already.` };
    return {
      ...recorded,
      question: { body: [tierWords(named, { from: now, to: tier, days })], yes: `Make it ${tier}` },
      async act() {
        const result = await deps.customers.keys.service.setTier(key.id, tier, days);
        if (!result.ok) return result.reason === 'unknown_key' ? gone(named) : revoked;
        const { trialEndsAt } = result.key;
        const until = trialEndsAt === null ? '' : ` until ${utcMinute(trialEndsAt)}`;
        const note = `Your key “${key.name}” is ${tier}${until} now.`;
        const told = await notifyCustomer(deps, key.customerId, note);
        return done(`The key ${named} is ${tier}${until}.`, told);
      },
    };
  },
};

interface TierAsked {
  readonly text: string;
  readonly tier: Tier;
  /** Of a pro trial; undefined: 30. */
  readonly days: number | undefined;
}

function tierAskedIn(argument: string): TierAsked | Wrong {
  const [text = '', name = '', length, ...more] = argument.split(/\s+/);
  const tier = TIERS.find((known) => known === name.toLowerCase());
  if (text === '') return { wrong: 'KEY and TIER are needed.' };
  if (tier === undefined || more.length > 0)
    return { wrong: `TIER is one of ${TIERS.join(', ')}, and follows KEY.` };
  if (length === undefined) return { text, tier, days: undefined };
  const days = wholeNumber(length.replace(/d$/i, ''), 1, KEY_LIMITS.trialDays);
  if (tier !== 'pro' || days === null)
    return { wrong: `DAYS is of pro alone: a number from 1 to ${KEY_LIMITS.trialDays}, as in “14d”.` };
  return { text, tier, days };
}

function tierWords(
  named: string,
  { from, to, days }: { readonly from: Tier; readonly to: Tier; readonly days: number | undefined },
) {
  const [verb, effect] =
    TIERS.indexOf(to) < TIERS.indexOf(from)
      ? ['Lower', `It loses what ${from} has within 5 seconds; its open streams may close.`]
      : ['Change', 'Its owner is notified.'];
  const length = days === undefined ? '' : ` for ${counted(days, 'day')}`;
  return [`${verb} the key `, { bold: named }, ` from ${from} to ${to}${length}? ${effect}`];
}

export const revokeCommand: ConsoleCommand = {
  isIrreversible: true,
  usage: 'revoke KEY',
  description: 'Revokes a key permanently, within 5 seconds; its owner is notified',
  async run(text, deps) {
    const { customers, clock } = deps;
    const found = await oneKey(deps, text);
    if ('refused' in found) return found;
    const { key, named, recorded } = found;
    if (key.revokedAt !== null) return { ...recorded, refused: `The key ${named} is revoked already.` };
    const owner = key.customerId === null ? 'It has no chat customer.' : `It belongs to ${key.customerId}.`;
    const subject = { bold: `${effectiveTier(key, clock.now())} key ${named}` };
    return {
      ...recorded,
      question: { body: [['Revoke the ', subject, `? ${owner} This is permanent.`]], yes: 'Revoke' },
      async act() {
        if (!(await customers.keys.service.revoke(key.id)).ok) return gone(named);
        const note = `The operator revoked your key “${key.name}”.`;
        return done(`The key ${named} is revoked.`, await notifyCustomer(deps, key.customerId, note));
      },
    };
  },
};

interface NamedKey {
  readonly key: ApiKey;
  readonly named: string;
  readonly recorded: { readonly personal: readonly string[] };
}

/** The key with the id `key_…`, or with this beginning: as it is named, and recorded. */
async function oneKey({ database }: ConsoleDeps, text: string): Promise<NamedKey | Refusal> {
  const key = await keyNamed(database.keys, text);
  if (key !== null)
    return { key, named: `“${key.name}” (${key.id})`, recorded: { personal: [`“${key.name}”`] } };
  return {
    refused: `No key matches ${quote(text)}. Name a key by its id, key_…, or by its beginning, sk_live_….`,
  };
}

/** By the whole id, or the lookup part of a key or of its beginning. */
export async function keyNamed(keys: ConsoleDeps['database']['keys'], text: string): Promise<ApiKey | null> {
  const lookup = lookupOfStart(withoutEllipsis(text));
  return lookup === null ? keys.byId(text) : keys.byLookup(lookup);
}
