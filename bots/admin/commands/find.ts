import type { Customer } from '../../../src/core/accounts/customers/customer.ts';
import { type ApiKey, effectiveTier } from '../../../src/core/accounts/keys/api-key.ts';
import { KEY_PREFIX } from '../../../src/core/accounts/keys/key-text.ts';
import { utcMinute } from '../../../src/core/base/text/formats.ts';
import type { Paragraph, TextSpan } from '../../shared/screen.ts';
import { type ConsoleCommand, quote, screenOf } from '../command.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { whoText, withoutEllipsis } from './customers.ts';
import { keyNamed } from './keys.ts';

export const findCommand: ConsoleCommand = {
  usage: 'find TEXT',
  description: 'Customers and keys by @name, telegram:123, cus_…, key_… or the beginning of a key',
  async run(text, deps) {
    const people = await deps.customers.find(withoutEllipsis(text));
    const key = await keyNamed(deps.database.keys, text);
    // The keys of a customer do not include revoked ones.
    const isAlone = key !== null && (key.customerId === null || key.revokedAt !== null);
    if (people.length === 0 && !isAlone) return screenOf('find', [[`Nothing matches ${quote(text)}.`]]);
    const body = await Promise.all(people.map((customer) => customerParagraph(deps, customer)));
    return screenOf('find', isAlone ? [...body, await keySpans(deps, key)] : body);
  },
};

async function customerParagraph(deps: ConsoleDeps, customer: Customer): Promise<Paragraph> {
  const { id, createdAt, isReachable, bannedAt, trial } = customer;
  const keys = await deps.customers.keysOf(id);
  const lines = await Promise.all(keys.map((key) => keySpans(deps, key)));
  return [
    { bold: id },
    ` since ${utcMinute(createdAt)}`,
    `\n${whoText(customer)}${isReachable ? '' : ', takes no messages'}`,
    `\nTrial: ${trialText(trial, deps.clock.now())}`,
    ...(bannedAt === null ? [] : [{ bold: `\nBanned since ${utcMinute(bannedAt)}` }]),
    ...(lines.length === 0 ? ['\nNo keys'] : lines.flatMap((spans) => ['\n', ...spans])),
  ];
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
