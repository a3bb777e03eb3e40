import type { Customer, Visitor } from '../../../src/core/accounts/customers/customer.ts';
import { type ApiKey, effectiveTier } from '../../../src/core/accounts/keys/api-key.ts';
import { KEY_LIMITS } from '../../../src/core/accounts/keys/key-service.ts';
import { KEY_PREFIX } from '../../../src/core/accounts/keys/key-text.ts';
import { counted, cutText, utcDay, utcMinute } from '../../../src/core/base/text/formats.ts';
import { type Paragraph, plainScreen, type Screen } from '../screen.ts';
import { ANOTHER_KEY_BUTTON, GET_KEY_BUTTON, MENU_BUTTONS, MY_KEYS_BUTTON } from './buttons.ts';
import { type ConversationDeps, chatCommand, type Feature, type Step } from './feature.ts';
import { tierWords } from './words.ts';

const LABEL_LENGTH = 40;

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
          `\n${tierWords(key, clock.now())}, ${await callsToday(key)} today, created ${utcDay(key.createdAt)}`,
        ],
      ),
    );
    return plainScreen(
      'keys',
      [...entries, 'Tap a key to rename, replace or revoke it.'],
      [
        ...keys.map((key) => [
          { label: cutText(key.name, LABEL_LENGTH) + markOf(key, keys), action: `manage:${key.id}` },
        ]),
        [ANOTHER_KEY_BUTTON, MENU_BUTTONS],
      ],
    );
  }

  return {
    commands: [chatCommand('keys', 'Your keys, their usage today, and what you can change')],
    steps: {
      keys: ({ customer }) => listed(customer),
      manage: withOwnKey(customers, async ({ key }) => keyScreen(key, await callsToday(key), clock.now())),
    },
  };
}

/** Distinguishes keys that were given the same name. */
function markOf({ id, name, lookup }: ApiKey, keys: readonly ApiKey[]): string {
  const isShared = keys.some((other) => other.name === name && other.id !== id);
  return isShared ? ` (${KEY_PREFIX}${lookup.slice(0, 4)}…)` : '';
}

function keyScreen(key: ApiKey, calls: string, now: number): Screen {
  const { previous } = key;
  const old =
    previous !== null && now < previous.endsAt
      ? [`The previous key works until ${utcMinute(previous.endsAt)}.`]
      : [];
  const unsure =
    key.handover?.isShown === false
      ? ['The message that shows it may not have arrived. If you do not have it, replace it.']
      : [];
  return plainScreen(
    'key',
    [
      [{ bold: key.name }, `\n${tierLine(key, now)}`],
      ['Begins with ', { code: `${KEY_PREFIX}${key.lookup}…` }],
      `${calls} today, created ${utcDay(key.createdAt)}`,
      ...old,
      ...unsure,
    ],
    [
      [
        { label: 'Rename', action: `rename:${key.id}` },
        { label: 'Replace', action: `rotate:${key.id}` },
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

/** A step for one of the customer's keys: the argument begins with its id, and `rest` is what follows. */
export function withOwnKey(
  customers: ConversationDeps['customers'],
  step: (context: {
    visitor: Visitor;
    customer: Customer;
    key: ApiKey;
    rest: string;
  }) => Screen | Promise<Screen>,
): Step {
  return async ({ visitor, customer, argument }) => {
    const [id = '', ...rest] = argument.split(':');
    const key = (await customers.keysOf(customer.id)).find((own) => own.id === id);
    return key === undefined ? noSuchKeyScreen() : step({ visitor, customer, key, rest: rest.join(':') });
  };
}

/** The same answer for a revoked key, for one of another customer, and for an unknown one. */
export function noSuchKeyScreen(): Screen {
  return changedScreen('no_such_key', ['That key is not among yours.']);
}

export function rename({ customers }: ConversationDeps): Feature {
  return {
    steps: {
      rename: withOwnKey(customers, ({ key }) =>
        askScreen('ask_name', key.id, ['What should ', { bold: key.name }, ' be called?']),
      ),
      rename_to: withOwnKey(customers, async ({ customer, key, rest }) => {
        const result = await customers.keys.rename(customer.id, key.id, rest);
        if (result.ok) return changedScreen('renamed', ['It is called ', { bold: result.key.name }, ' now.']);
        if (result.reason === 'unknown_key') return noSuchKeyScreen();
        return askScreen('bad_name', key.id, [
          `A name has 1 to ${KEY_LIMITS.nameLength} characters, at least one of them visible, fits on one line, and is not a key. Choose another.`,
        ]);
      }),
    },
  };
}

function askScreen(name: string, keyId: string, words: Paragraph): Screen {
  return plainScreen(name, [words], [[{ label: 'Keep the name', action: `manage:${keyId}` }]], {
    action: `rename_to:${keyId}`,
    label: 'New name',
  });
}

export function revoke({ customers, clock }: ConversationDeps): Feature {
  return {
    steps: {
      revoke: withOwnKey(customers, ({ key }) => confirmScreen(key, clock.now())),
      revoke_yes: withOwnKey(customers, async ({ customer, key }) => {
        const result = await customers.keys.revoke(customer.id, key.id);
        return result.ok ? changedScreen('revoked', [{ bold: key.name }, ' is revoked.']) : noSuchKeyScreen();
      }),
    },
  };
}

function confirmScreen(key: ApiKey, now: number): Screen {
  const isTrial = key.trialEndsAt !== null && effectiveTier(key, now) === 'pro';
  const loss = isTrial
    ? ['Your trial ends with it, and there is only one trial. Replacing the key keeps the trial.']
    : [];
  return plainScreen(
    'confirm_revoke',
    [['Revoke ', { bold: key.name }, '? It stops working within 5 seconds and cannot be restored.'], ...loss],
    [
      [{ label: 'Yes, revoke it', action: `revoke_yes:${key.id}` }],
      [
        { label: 'Replace it instead', action: `rotate:${key.id}` },
        { label: 'Keep it', action: `manage:${key.id}` },
      ],
    ],
  );
}

function changedScreen(name: string, words: Paragraph): Screen {
  return plainScreen(name, [words], [[MY_KEYS_BUTTON, MENU_BUTTONS]]);
}
