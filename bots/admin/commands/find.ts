import type { Customer } from '../../../src/core/accounts/customers/customer.ts';
import { type ApiKey, effectiveTier } from '../../../src/core/accounts/keys/api-key.ts';
import { KEY_PREFIX } from '../../../src/core/accounts/keys/key-text.ts';
import { utcMinute } from '../../../src/core/base/text/formats.ts';
import type { Button, Paragraph, TextSpan } from '../../shared/screen.ts';
import { commandButton, type ReadCommand, screenOf } from '../command.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { handleText, lookupIn, whoText, withoutEllipsis } from '../customers.ts';
import { parseOneArgument, quote } from '../parse-arguments.ts';

const SHOWN = { whole: 5, keys: 10, most: 20, label: 30 } as const;

export const findCommand: ReadCommand = {
  kind: 'read',
  name: 'find',
  usage: 'find TEXT',
  description: 'Customers and keys by @name, telegram:123, cus_…, key_…, a key’s beginning or label',
  parse: (argument) => parseOneArgument(argument, 'TEXT', (text) => (deps) => find(deps, text)),
};

async function find(deps: ConsoleDeps, text: string) {
  const [people, keys] = await Promise.all([deps.customers.find(withoutEllipsis(text)), keysBy(deps, text)]);
  const owners = new Map(people.map((customer) => [customer.id, customer]));
  for (const { customerId } of keys) {
    if (customerId === null || owners.has(customerId)) continue;
    const owner = await deps.customers.byId(customerId);
    if (owner !== null) owners.set(owner.id, owner);
  }
  const found = [...owners.values()];
  // The keys of a customer do not include revoked ones: such a key is shown alone, as is one without an owner.
  const alone = keys.filter(({ customerId, revokedAt }) => customerId === null || revokedAt !== null);
  if (found.length + alone.length === 0)
    return screenOf('find', [[`Nothing is found by ${quote(text)}.${hint(text)}`]]);
  const whole = await Promise.all(
    found.slice(0, SHOWN.whole).map((customer) => customerParts(deps, customer)),
  );
  const [only] = whole;
  const body = [
    ...whole.map(({ paragraph }) => paragraph),
    ...restOf(found),
    ...(await Promise.all(alone.slice(0, SHOWN.keys).map((key) => keySpans(deps, key)))),
  ];
  return screenOf('find', body, found.length === 1 && only !== undefined ? only.buttons : []);
}

/** A key is found by its first characters; a shorter text identifies none. */
function hint(text: string): string {
  const isTooShort = text.startsWith(KEY_PREFIX) && lookupIn(text) === null;
  return isTooShort ? ` Of a key, give ${KEY_PREFIX} and the next 10 characters or more.` : '';
}

async function keysBy({ keys, reads }: ConsoleDeps, text: string): Promise<readonly ApiKey[]> {
  const lookup = lookupIn(text);
  const one = lookup === null ? await keys.byId(text) : await keys.byLookup(lookup);
  return one === null ? reads.keysNamed(text, SHOWN.most) : [one];
}

async function customerParts(deps: ConsoleDeps, customer: Customer) {
  const keys = await deps.customers.keysOf(customer.id);
  const lines = await Promise.all(keys.map((key) => keySpans(deps, key)));
  const paragraph: Paragraph = [
    { bold: customer.id },
    ` since ${utcMinute(customer.createdAt)}`,
    ...customer.handles.map(
      (handle) => `\n${handleText(handle)}${handle.isReachable ? '' : ', takes no messages'}`,
    ),
    `\nTrial: ${trialText(customer, deps.clock.now())}`,
    ...(customer.bannedAt === null ? [] : [{ bold: `\nBanned since ${utcMinute(customer.bannedAt)}` }]),
    ...(lines.length === 0 ? ['\nNo keys'] : lines.flatMap((spans) => ['\n', ...spans])),
  ];
  return { paragraph, buttons: buttonsOf(customer, keys) };
}

function buttonsOf({ id, bannedAt }: Customer, keys: readonly ApiKey[]): (readonly Button[])[] {
  const ban = bannedAt === null ? commandButton('Ban', `ban ${id}`) : commandButton('Unban', `unban ${id}`);
  return [
    ...keys.map((key) => [commandButton(`Revoke ${key.name.slice(0, SHOWN.label)}`, `revoke ${key.id}`)]),
    [ban],
  ];
}

async function keySpans({ usage, clock }: ConsoleDeps, key: ApiKey): Promise<TextSpan[]> {
  const now = clock.now();
  const calls = await usage.get(key.id, new Date(now).toISOString().slice(0, 10));
  const ends = key.trialEndsAt !== null && key.tier === 'pro' && now < key.trialEndsAt;
  const { requestsPerMinute: rpm = null, maxSockets: sockets = null } = key.limits ?? {};
  const words = [
    `“${key.name}” ${effectiveTier(key, now)}${ends ? ` until ${utcMinute(key.trialEndsAt)}` : ''}`,
    ...(key.customerId === null ? ['no chat customer'] : []),
    ...(rpm === null ? [] : [`${rpm} a minute`]),
    ...(sockets === null ? [] : [`${sockets} sockets`]),
    key.revokedAt === null ? `${calls} calls today` : `revoked ${utcMinute(key.revokedAt)}`,
  ];
  return [{ code: key.id }, ' ', { code: `sk_live_${key.lookup}…` }, ` ${words.join(', ')}`];
}

function trialText({ trial }: Customer, now: number): string {
  if (trial === null) return 'not used';
  return `${now < trial.endsAt ? 'until' : 'ended'} ${utcMinute(trial.endsAt)}`;
}

function restOf(found: readonly Customer[]): Paragraph[] {
  const rest = found.slice(SHOWN.whole);
  if (rest.length === 0) return [];
  return [[`And ${rest.length} more:\n`, rest.map((one) => `${one.id} ${whoText(one)}`).join('\n')]];
}
