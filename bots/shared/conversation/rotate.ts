import type { ApiKey } from '../../../src/core/accounts/keys/api-key.ts';
import { utcMinute } from '../../../src/core/base/text/formats.ts';
import { type Paragraph, plainScreen, type Screen } from '../screen.ts';
import { bannedScreen, staleScreen } from './buttons.ts';
import { isRequest, newRequest } from './choose-tier.ts';
import type { ConversationDeps, Feature } from './feature.ts';
import { alreadyShownScreen, type Confirmations, secretScreen } from './issue.ts';
import { noSuchKeyScreen, withOwnKey } from './my-keys.ts';

export function rotate(
  { customers, random, clock, publicUrl, contact }: ConversationDeps,
  confirmations: Confirmations,
): Feature {
  const change = withOwnKey(customers, async ({ visitor, customer, key, rest }) => {
    const [mode, request] = rest.split(':');
    if ((mode !== '24h' && mode !== 'now') || !isRequest(request)) return staleScreen();
    await confirmations.settle();
    const keepOld = mode === '24h';
    const result = await customers.keys.rotate({ customerId: customer.id, keyId: key.id, keepOld, request });
    if (result.ok)
      return secretScreen('secret_shown', {
        ...result,
        request,
        words: rotatedWords(result.key, clock.now()),
        publicUrl,
        platform: visitor.platform,
      });
    if (result.reason === 'already_shown') return alreadyShownScreen(result.key, request, clock.now());
    if (result.reason === 'unknown_key') return noSuchKeyScreen();
    return result.reason === 'banned' ? bannedScreen(contact) : staleScreen();
  });

  return {
    steps: {
      rotate: withOwnKey(customers, ({ key }) => choiceScreen(key, newRequest(random), clock.now())),
      rotate_to: change,
    },
  };
}

function choiceScreen({ id, name, previous, handover }: ApiKey, request: string, now: number): Screen {
  const isSeen = handover === null || handover.isShown;
  const older =
    isSeen && previous !== null && now < previous.endsAt
      ? [
          `The previous key, which would work until ${utcMinute(previous.endsAt)}, stops working immediately either way.`,
        ]
      : [];
  return plainScreen(
    'choose_rotation',
    [
      ['Replace ', { bold: name }, ' with a new key? Name, tier, trial and settings stay.'],
      'Should the old key keep working for another 24 hours, so that you can switch without a break? If someone else may have it, end it now.',
      ...older,
    ],
    [
      [{ label: 'Keep the old key 24 h', action: `rotate_to:${id}:24h:${request}` }],
      [{ label: 'End the old key now', action: `rotate_to:${id}:now:${request}` }],
      [{ label: 'Change nothing', action: `manage:${id}` }],
    ],
  );
}

function rotatedWords({ name, previous }: ApiKey, now: number): readonly Paragraph[] {
  const fate =
    previous === null || now >= previous.endsAt
      ? 'The old key stops working within 5 seconds.'
      : `The old key works until ${utcMinute(previous.endsAt)}.`;
  return [[{ bold: `Your new key, still called ${name}` }], [fate]];
}
