import { CUSTOMER_KEYS_MAX, type Platform } from '../../../src/core/accounts/customers/customer.ts';
import type { KeyRequestResult } from '../../../src/core/accounts/customers/customer-keys.ts';
import type { ApiKey } from '../../../src/core/accounts/keys/api-key.ts';
import { TRIAL_DAYS } from '../../../src/core/accounts/keys/key-service.ts';
import { utcMinute } from '../../../src/core/base/text/formats.ts';
import { HIDE, type Paragraph, plainScreen, type Screen, type ShownSecret } from '../screen.ts';
import {
  ANOTHER_KEY_BUTTON,
  bannedScreen,
  FOLLOW_BUTTON,
  HELP_BUTTON,
  LAST_ALERTS_BUTTON,
  MENU_BUTTONS,
  MY_KEYS_BUTTON,
  staleScreen,
} from './buttons.ts';
import { isRequest, type MembershipGate } from './choose-tier.ts';
import type { ConversationDeps, Feature } from './feature.ts';
import { paidKeyWords, tierWords } from './words.ts';

type Issued = Extract<KeyRequestResult, { ok: true }>;

export function issue(
  { customers, clock, publicUrl, contact }: ConversationDeps,
  { membershipGate, confirmations }: { membershipGate: MembershipGate; confirmations: Confirmations },
): Feature {
  return {
    steps: {
      async issue({ visitor, customer, argument }) {
        const [tier, request] = argument.split(':');
        if ((tier !== 'free' && tier !== 'pro') || !isRequest(request)) return staleScreen();
        const closed = await membershipGate(visitor);
        if (closed !== null) return closed;
        await confirmations.settle();
        const result = await customers.keys.issue({ customerId: customer.id, tier, request });
        if (result.ok) {
          const paid = paidKeyWords(await customers.keysOf(customer.id), clock.now());
          const words = issuedWords(result, paid);
          return secretScreen('key_shown', {
            ...result,
            request,
            words,
            publicUrl,
            platform: visitor.platform,
          });
        }
        if (result.reason === 'already_shown') return alreadyShownScreen(result.key, request, clock.now());
        if (result.reason === 'too_many_keys') return tooManyScreen();
        return result.reason === 'banned' ? bannedScreen(contact) : staleScreen();
      },
      // Who hides the message has seen it: a proof like the platform's answer, which a kill may have lost.
      async [HIDE]({ customer, argument }) {
        const isUsable = argument === '' || (await customers.keys.confirmSeen(customer.id, argument));
        return isUsable ? HIDDEN : DEAD_KEY_HIDDEN;
      },
    },
  };
}

/** `paid`: what runs now, this key included. */
function issuedWords({ key, trialUsed }: Issued, paid: string | null): readonly Paragraph[] {
  if (trialUsed) {
    return [
      [{ bold: 'Your Free key' }],
      [
        `${paid ?? `You have already used your ${TRIAL_DAYS} days of Pro.`} There is one trial per person, so this is a Free key.`,
      ],
    ];
  }
  if (key.trialEndsAt === null) return [[{ bold: 'Your Free key' }]];
  return [
    [{ bold: 'Your Pro key' }],
    [`It is Pro until ${utcMinute(key.trialEndsAt)}, and a Free key from then on.`],
  ];
}

function tooManyScreen(): Screen {
  return plainScreen(
    'too_many_keys',
    [
      [{ bold: `You have ${CUSTOMER_KEYS_MAX} keys, which is the maximum.` }],
      'Revoke one that you do not need, or replace one.',
    ],
    [[MY_KEYS_BUTTON, MENU_BUTTONS]],
  );
}

interface ShownKey {
  readonly key: ApiKey;
  readonly secret: string;
  readonly request: string;
  readonly words: readonly Paragraph[];
  readonly publicUrl: string;
  readonly platform: Platform;
}

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
          { bold: 'Copy it now: it is shown only once' },
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

const AFTER_KEY = [
  [MY_KEYS_BUTTON, FOLLOW_BUTTON],
  [LAST_ALERTS_BUTTON, HELP_BUTTON],
];
const HIDDEN = plainScreen(
  'key_hidden',
  [
    [{ bold: 'Hidden. Your key works now.' }],
    'You can find it by its name under “My keys”. Never post it where others can read it.',
  ],
  AFTER_KEY,
);
/** For a key that was replaced or revoked while its message was shown. */
const DEAD_KEY_HIDDEN = plainScreen(
  'dead_key_hidden',
  [
    [{ bold: 'Hidden. That key does not work: it was replaced or revoked.' }],
    'The keys that work are under “My keys”.',
  ],
  AFTER_KEY,
);

/** The answer to a repeated tap after the message of the first one has arrived. */
export function alreadyShownScreen(key: ApiKey, request: string, now: number): Screen {
  const gone = withWords(
    key,
    now,
    'It was shown once and cannot be shown again. If you no longer have it, replace it: everything else stays.',
  );
  // After a later rotation the message shows a secret that the key no longer has.
  if (key.handover?.request !== request) return gone;
  const whileShown = withWords(
    key,
    now,
    'It is in a separate message in this chat, for 10 minutes at most. If you no longer have it, replace it: everything else stays.',
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
      ...(old === null ? [] : [`The previous key works until ${utcMinute(old)}.`]),
    ],
    [[{ label: 'Replace', action: `rotate:${key.id}` }], [MY_KEYS_BUTTON, ANOTHER_KEY_BUTTON]],
  );
}

const KEPT_MOST = 10_000;

export class Confirmations {
  readonly #deps: ConversationDeps;
  readonly #unstored = new Map<string, string>();

  constructor(deps: ConversationDeps) {
    this.#deps = deps;
  }

  /** Never throws: what could not be stored is kept for `settle`. */
  async confirm({ keyId, request }: ShownSecret): Promise<void> {
    const { customers, logger } = this.#deps;
    try {
      await customers.keys.confirmShown(keyId, request);
    } catch (error) {
      logger.error(
        { err: error, keyId },
        'delivery of a key not recorded; retrying before the next key is issued',
      );
      const [oldest] = this.#unstored.keys();
      if (this.#unstored.size >= KEPT_MOST && oldest !== undefined) this.#unstored.delete(oldest);
      this.#unstored.set(request, keyId);
    }
  }

  /** Stores what could not be stored, before a key is asked for; throws when it still cannot. */
  async settle(): Promise<void> {
    for (const [request, keyId] of this.#unstored) {
      await this.#deps.customers.keys.confirmShown(keyId, request);
      this.#unstored.delete(request);
    }
  }
}
