import type { Visitor } from '../../../src/core/accounts/customers/customer.ts';
import type { RandomText } from '../../../src/core/base/random.ts';
import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import type { Membership } from '../community.ts';
import { plainScreen } from '../plain-screen.ts';
import type { Screen } from '../screen.ts';
import { MENU_BUTTONS } from './buttons.ts';
import type { ConversationDeps } from './feature.ts';
import { utcSecond } from './words.ts';

/** Passes members of the community; other people get a screen with the way to join. */
export type MembershipGate = (
  visitor: Visitor,
  options?: { readonly saysJoined: boolean },
) => Promise<Screen | null>;

/** An unknown membership passes, and so does a visitor who cannot be shown an address to join. */
export function createMembershipGate({ communities, clock, logger }: ConversationDeps): MembershipGate {
  async function membershipOf(visitor: Visitor): Promise<Membership> {
    try {
      return (await communities[visitor.platform]?.membershipOf(visitor)) ?? 'none';
    } catch (error) {
      logger.warn({ err: error, platform: visitor.platform }, 'community membership unavailable');
      return 'unknown';
    }
  }

  return async (visitor, { saysJoined } = { saysJoined: false }) => {
    if ((await membershipOf(visitor)) !== 'not_member') return null;
    const address = (await communities[visitor.platform]?.joinAddress().catch(() => null)) ?? null;
    return address === null ? null : joinScreen(address, saysJoined ? clock.now() : null);
  };
}

/** `checkedAt`: when a person who says to have joined was looked for. Each check changes the text. */
function joinScreen(address: string, checkedAt: EpochMs | null): Screen {
  const words =
    checkedAt !== null
      ? [
          [{ bold: 'We cannot see you in the community yet.' }],
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

/** Names a tap before it is made, so that a repeated one is recognised. */
export function newRequest(random: RandomText): string {
  return random.base64url(REQUEST_BYTES);
}

export function isRequest(text: string | undefined): text is string {
  return text !== undefined && /^[\w-]{12}$/.test(text);
}
