import type { Customer, Visitor } from '../../../src/core/accounts/customers/customer.ts';
import { TRIAL_DAYS } from '../../../src/core/accounts/keys/key-service.ts';
import type { RandomText } from '../../../src/core/base/random.ts';
import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import { type Paragraph, plainScreen, type Screen } from '../screen.ts';
import { MENU_BUTTONS, UPGRADE_BUTTON } from './buttons.ts';
import { type ConversationDeps, chatCommand, type Feature } from './feature.ts';
import { tierLimits } from './upgrade.ts';
import { delayWords, paidKeyWords, utcSecond } from './words.ts';

/** From "Get a key" to the two buttons that give one. Both name the same request: one screen gives one key. */
export function chooseTier(
  { customers, random, clock, freeDelayMs }: ConversationDeps,
  membershipGate: MembershipGate,
): Feature {
  async function choose(customer: Customer): Promise<Screen> {
    const request = newRequest(random);
    const free = { label: 'Free key', action: `issue:free:${request}` };
    const pro = { label: `Pro key, ${TRIAL_DAYS} days free`, action: `issue:pro:${request}` };
    const hadTrial = !(await customers.trials.isOpen(customer.id));
    const paid = paidKeyWords(await customers.keysOf(customer.id), clock.now());
    return plainScreen(
      'choose_tier',
      [
        [{ bold: 'Which key do you want?' }],
        [{ bold: 'Free' }, `: alerts ${delayWords(freeDelayMs)}, ${tierLimits('free')}.`],
        hadTrial ? hadTrialWords(paid) : PRO_OFFER,
      ],
      [hadTrial ? [free, UPGRADE_BUTTON] : [pro, free], [MENU_BUTTONS]],
    );
  }

  return {
    commands: [chatCommand('key', 'Get an API key')],
    steps: {
      key: async ({ visitor, customer }) => (await membershipGate(visitor)) ?? choose(customer),
      joined: async ({ visitor, customer }) =>
        (await membershipGate(visitor, { saysJoined: true })) ?? choose(customer),
    },
  };
}

const PRO_OFFER: Paragraph = [
  { bold: 'Pro' },
  `: alerts in real time, ${tierLimits('pro')}. After ${TRIAL_DAYS} days it becomes a Free key automatically: nothing to pay, nothing to cancel.`,
];

/** `paid`: what runs now. */
function hadTrialWords(paid: string | null): Paragraph {
  return paid === null
    ? [
        { bold: 'Pro' },
        `: you have already used your ${TRIAL_DAYS} free days (once per person). /upgrade explains how to continue.`,
      ]
    : [{ bold: paid }, ' Another key is a Free one.'];
}

/** Lets members of the community pass; others get a screen that says how to join. */
export type MembershipGate = (
  visitor: Visitor,
  options?: { readonly saysJoined: boolean },
) => Promise<Screen | null>;

/** An unknown membership passes, and so does a visitor for whom there is no address to join. */
export function createMembershipGate({ communities, clock }: ConversationDeps): MembershipGate {
  return async (visitor, { saysJoined } = { saysJoined: false }) => {
    const community = communities[visitor.platform];
    if (community === undefined || (await community.membershipOf(visitor)) !== 'not_member') return null;
    const address = await community.joinAddress();
    return address === null ? null : joinScreen(address, saysJoined ? clock.now() : null);
  };
}

/** `checkedAt`: when the membership of someone who claims to have joined was checked. Each check changes the text. */
function joinScreen(address: string, checkedAt: EpochMs | null): Screen {
  const words =
    checkedAt !== null
      ? [
          [{ bold: 'I cannot see you in the community yet.' }],
          'Join it with the account that you use here, then tap “I have joined” again. It can take a moment.',
          `Checked at ${utcSecond(checkedAt)}.`,
        ]
      : [
          [{ bold: 'One step first: join the community.' }],
          'Alerts and news are posted there. Come back when you have joined.',
        ];
  return plainScreen(checkedAt !== null ? 'not_joined_yet' : 'join', words, [
    [{ label: 'Join the community', url: address }],
    [{ label: 'I have joined', action: 'joined' }, MENU_BUTTONS],
  ]);
}

/** 72 bits: unique among all keys, and short enough for a button. */
const REQUEST_BYTES = 9;

/** Identifies a tap in advance, so that a repeated one is recognised. */
export function newRequest(random: RandomText): string {
  return random.base64url(REQUEST_BYTES);
}

export function isRequest(text: string | undefined): text is string {
  return text !== undefined && /^[\w-]{12}$/.test(text);
}
