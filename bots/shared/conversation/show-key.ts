import type { Platform } from '../../../src/core/accounts/customers/customer.ts';
import type { ApiKey } from '../../../src/core/accounts/keys/api-key.ts';
import { utcMinute } from '../../../src/core/base/text/formats.ts';
import { plainScreen } from '../plain-screen.ts';
import { HIDE, type Paragraph, type Screen } from '../screen.ts';
import { ANOTHER_KEY_BUTTON, HELP_BUTTON, LAST_ALERTS_BUTTON, MY_KEYS_BUTTON } from './buttons.ts';
import { tierWords } from './words.ts';

interface ShownKey {
  readonly key: ApiKey;
  readonly secret: string;
  readonly request: string;
  /** Text about this key, shown above it. */
  readonly words: readonly Paragraph[];
  readonly publicUrl: string;
  readonly platform: Platform;
}

/** The one screen with a secret. */
export function secretScreen(
  name: string,
  { key, secret, request, words, publicUrl, platform }: ShownKey,
): Screen {
  const call = `curl -H 'Authorization: Bearer ${secret}' '${publicUrl}/api/v1/alerts/latest?limit=5'`;
  const docs = `${publicUrl}/docs`;
  return {
    ...plainScreen(
      name,
      [
        ...words,
        [{ code: secret }],
        [
          { bold: 'Copy it now: it is shown this once' },
          ` and cannot be recovered.${platform === 'terminal' ? '' : ' This message disappears after 10 minutes.'}`,
        ],
        ['Try it:\n', { code: call }],
        ['Documentation: ', { link: docs, text: docs }],
      ],
      [[{ label: 'Done, hide it', action: `${HIDE}:${key.lookup}` }]],
    ),
    secret: { text: secret, keyId: key.id, request },
  };
}

/** For a key that was replaced or revoked while its message was there. */
export function deadKeyHiddenScreen(): Screen {
  return plainScreen(
    'dead_key_hidden',
    [
      [{ bold: 'Hidden. That key does not work: it was replaced or revoked.' }],
      'The keys that work are under “My keys”.',
    ],
    [[MY_KEYS_BUTTON, LAST_ALERTS_BUTTON], [HELP_BUTTON]],
  );
}

/** After the screen with the secret. */
export function hiddenScreen(): Screen {
  return plainScreen(
    'key_hidden',
    [
      [{ bold: 'Hidden. Your key works now.' }],
      'You find it by its name under “My keys”. Never post it where others can read it.',
    ],
    [[MY_KEYS_BUTTON, LAST_ALERTS_BUTTON], [HELP_BUTTON]],
  );
}

/** The same tap again, when the message of the first has arrived. */
export function alreadyShownScreen(key: ApiKey, request: string, now: number): Screen {
  const gone = withWords(
    key,
    now,
    'It was shown once and cannot be shown again. If you no longer have it, give the key a new secret: everything else stays.',
  );
  // After a later rotation the message shows a secret that the key no longer has.
  if (key.handover?.request !== request) return gone;
  const whileShown = withWords(
    key,
    now,
    'It is in a separate message in this chat, for 10 minutes at most. If you no longer have it, give the key a new secret: everything else stays.',
  );
  return { ...gone, repeated: { request, whileShown } };
}

function withWords(key: ApiKey, now: number, words: string): Screen {
  const old = key.previous !== null && now < key.previous.endsAt ? key.previous.endsAt : null;
  return plainScreen(
    'already_shown',
    [
      ['You have this key already: ', { bold: key.name }, `, ${tierWords(key, now)}.`],
      words,
      ...(old === null ? [] : [`Its secret before works until ${utcMinute(old)}.`]),
    ],
    [[{ label: 'New secret', action: `rotate:${key.id}` }], [MY_KEYS_BUTTON, ANOTHER_KEY_BUTTON]],
  );
}
