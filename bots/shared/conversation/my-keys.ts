import type { Customer } from '../../../src/core/accounts/customers/customer.ts';
import type { ApiKey } from '../../../src/core/accounts/keys/api-key.ts';
import { KEY_PREFIX } from '../../../src/core/accounts/keys/key-text.ts';
import { counted, utcMinute } from '../../../src/core/base/text/formats.ts';
import { plainScreen } from '../plain-screen.ts';
import type { Paragraph, Screen } from '../screen.ts';
import { ANOTHER_KEY_BUTTON, GET_KEY_BUTTON, MENU_BUTTONS, MY_KEYS_BUTTON } from './buttons.ts';
import { type ConversationDeps, command, type Feature } from './feature.ts';
import { withOwnKey } from './own-key.ts';
import { labelOf, tierWords, utcDay } from './words.ts';

/** The customer's keys, and one of them with what can be done to it. */
export function myKeys({ customers, usage, clock }: ConversationDeps): Feature {
  const callsToday = async (key: ApiKey) => counted(await usage.get(key.id, utcDay(clock.now())), 'call');

  async function listed(customer: Customer): Promise<Screen> {
    const keys = await customers.keysOf(customer.id);
    if (keys.length === 0)
      return plainScreen('no_keys', ['You have no keys yet.'], [[GET_KEY_BUTTON, MENU_BUTTONS]]);
    const entries = await Promise.all(
      keys.map(
        async (key): Promise<Paragraph> => [
          { bold: key.name + markOf(key, keys) },
          `\n${tierWords(key, clock.now())}, ${await callsToday(key)} today, made ${utcDay(key.createdAt)}`,
        ],
      ),
    );
    return plainScreen(
      'keys',
      [...entries, 'Tap a key to rename it, change its secret or revoke it.'],
      [
        ...keys.map((key) => [{ label: labelOf(key.name) + markOf(key, keys), action: `manage:${key.id}` }]),
        [ANOTHER_KEY_BUTTON, MENU_BUTTONS],
      ],
    );
  }

  return {
    commands: [command('keys', 'Your keys, their use today, and what you can change')],
    steps: {
      keys: ({ customer }) => listed(customer),
      manage: withOwnKey(customers, async ({ key }) => keyScreen(key, await callsToday(key), clock.now())),
    },
  };
}

/** Distinguishes keys of the same name, which two linked accounts may have. */
function markOf({ id, name, lookup }: ApiKey, keys: readonly ApiKey[]): string {
  const isShared = keys.some((other) => other.name === name && other.id !== id);
  return isShared ? ` (${KEY_PREFIX}${lookup.slice(0, 4)}…)` : '';
}

function keyScreen(key: ApiKey, calls: string, now: number): Screen {
  const { previous } = key;
  const old =
    previous !== null && now < previous.endsAt
      ? [`The old secret works until ${utcMinute(previous.endsAt)}.`]
      : [];
  const unsure =
    key.handover?.isShown === false
      ? ['The message with its secret may not have arrived. If you do not have it, get a new one.']
      : [];
  return plainScreen(
    'key',
    [
      [{ bold: key.name }, `\n${tierLine(key, now)}`],
      ['Begins with ', { code: `${KEY_PREFIX}${key.lookup}…` }],
      `${calls} today, made ${utcDay(key.createdAt)}`,
      ...old,
      ...unsure,
    ],
    [
      [
        { label: 'Rename', action: `rename:${key.id}` },
        { label: 'New secret', action: `rotate:${key.id}` },
        { label: 'Revoke', action: `revoke:${key.id}` },
      ],
      [MY_KEYS_BUTTON, MENU_BUTTONS],
    ],
  );
}

function tierLine(key: ApiKey, now: number): string {
  const words = tierWords(key, now);
  if (key.trialEndsAt === null) return words;
  return now < key.trialEndsAt
    ? `${words} (until ${utcMinute(key.trialEndsAt)}, then Free)`
    : `${words} (the trial ended ${utcMinute(key.trialEndsAt)})`;
}
