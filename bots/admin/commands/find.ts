import type { Customer } from '../../../src/core/accounts/customers/customer.ts';
import { type ApiKey, effectiveTier } from '../../../src/core/accounts/keys/api-key.ts';
import { KEY_PREFIX, lookupOfStart } from '../../../src/core/accounts/keys/key-text.ts';
import { utcMinute } from '../../../src/core/base/text/formats.ts';
import type { Paragraph, TextSpan } from '../../shared/screen.ts';
import { type ConsoleCommand, commandButton, quote, screenOf } from '../command.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { whoText, withoutEllipsis } from './customers.ts';
import { keyNamed } from './keys.ts';

const SHOWN = { whole: 5, keys: 10, most: 20, label: 30 } as const;

export const findCommand: ConsoleCommand = {
  usage: 'find TEXT',
  description: 'Customers and keys by @name, telegram:123, cus_…, key_…, a key’s beginning or label',
  async run(text, deps) {
    const { customers } = deps;
    const [people, keys] = await Promise.all([customers.find(withoutEllipsis(text)), keysBy(deps, text)]);
    const owners = new Map(people.map((customer) => [customer.id, customer]));
    for (const { customerId } of keys) {
      if (customerId === null || owners.has(customerId)) continue;
      const owner = await customers.byId(customerId);
      if (owner !== null) owners.set(owner.id, owner);
    }
    const found = [...owners.values()];
    // The keys of a customer do not include revoked ones: such a key is shown alone, as is one without an owner.
    const alone = keys.filter(({ customerId, revokedAt }) => customerId === null || revokedAt !== null);
    if (found.length + alone.length === 0)
      return screenOf('find', [[`Nothing matches ${quote(text)}.${hint(text)}`]]);
    const [whole, rest] = [found.slice(0, SHOWN.whole), found.slice(SHOWN.whole)];
    const parts = await Promise.all(whole.map((customer) => customerParts(deps, customer)));
    const more = rest.map((one) => `${one.id} ${whoText(one)}`).join('\n');
    const body = [
      ...parts.map(({ paragraph }) => paragraph),
      ...(rest.length === 0 ? [] : [[`And ${rest.length} more:\n`, more]]),
      ...(await Promise.all(alone.slice(0, SHOWN.keys).map((key) => keySpans(deps, key)))),
    ];
    return screenOf('find', body, found.length === 1 ? parts.flatMap(({ buttons }) => buttons) : []);
  },
};

/** A key is found by its first characters; a shorter text identifies none. */
function hint(text: string): string {
  const isTooShort = text.startsWith(KEY_PREFIX) && lookupOfStart(withoutEllipsis(text)) === null;
  return isTooShort ? ` For a key, give ${KEY_PREFIX} and at least the next 10 characters.` : '';
}

async function keysBy({ database }: ConsoleDeps, text: string): Promise<readonly ApiKey[]> {
  const one = await keyNamed(database.keys, text);
  return one === null ? database.operatorReads.keysNamed(text, SHOWN.most) : [one];
}

async function customerParts(deps: ConsoleDeps, customer: Customer) {
  const { id, createdAt, bannedAt, trial } = customer;
  const keys = await deps.customers.keysOf(id);
  const lines = await Promise.all(keys.map((key) => keySpans(deps, key)));
  const paragraph: Paragraph = [
    { bold: id },
    ` since ${utcMinute(createdAt)}`,
    `\n${whoText(customer)}${customer.isReachable ? '' : ', takes no messages'}`,
    `\nTrial: ${trialText(trial, deps.clock.now())}`,
    ...(bannedAt === null ? [] : [{ bold: `\nBanned since ${utcMinute(bannedAt)}` }]),
    ...(lines.length === 0 ? ['\nNo keys'] : lines.flatMap((spans) => ['\n', ...spans])),
  ];
  const buttons = [
    ...keys.map((key) => [commandButton(`Revoke ${key.name.slice(0, SHOWN.label)}`, `revoke ${key.id}`)]),
    [bannedAt === null ? commandButton('Ban', `ban ${id}`) : commandButton('Unban', `unban ${id}`)],
  ];
  return { paragraph, buttons };
}

async function keySpans({ database, clock }: ConsoleDeps, key: ApiKey): Promise<TextSpan[]> {
  const now = clock.now();
  const calls = await database.usage.get(key.id, new Date(now).toISOString().slice(0, 10));
  const ends = key.trialEndsAt !== null && key.tier === 'pro' && now < key.trialEndsAt;
  const { requestsPerMinute: rpm = null, maxSockets: sockets = null } = key.limits ?? {};
  const words = [
    `“${key.name}” ${effectiveTier(key, now)}${ends ? ` until ${utcMinute(key.trialEndsAt)}` : ''}`,
    ...(key.customerId === null ? ['no chat customer'] : []),
    ...(rpm === null ? [] : [`${rpm} per minute`]),
    ...(sockets === null ? [] : [`${sockets} sockets`]),
    key.revokedAt === null ? `${calls} calls today` : `revoked ${utcMinute(key.revokedAt)}`,
  ];
  return [{ code: key.id }, ' ', { code: `${KEY_PREFIX}${key.lookup}…` }, ` ${words.join(', ')}`];
}

function trialText(trial: Customer['trial'], now: number): string {
  if (trial === null) return 'not used';
  return `${now < trial.endsAt ? 'until' : 'ended'} ${utcMinute(trial.endsAt)}`;
}
