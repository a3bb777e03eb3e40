import { type ApiKey, effectiveTier } from '../../../src/core/accounts/keys/api-key.ts';
import { plainScreen } from '../plain-screen.ts';
import type { Screen } from '../screen.ts';
import { MENU_BUTTONS, MY_KEYS_BUTTON } from './buttons.ts';
import type { ConversationDeps, Feature } from './feature.ts';
import { noSuchKeyScreen, withOwnKey } from './own-key.ts';

/** The end of a key, in two steps. */
export function revoke({ customers, clock }: ConversationDeps): Feature {
  return {
    commands: [],
    steps: {
      revoke: withOwnKey(customers, ({ key }) => confirmScreen(key, clock.now())),
      revoke_yes: withOwnKey(customers, async ({ customer, key }) => {
        const result = await customers.revoke(customer.id, key.id);
        return result.ok ? revokedScreen(key.name) : noSuchKeyScreen();
      }),
    },
  };
}

function confirmScreen(key: ApiKey, now: number): Screen {
  const isTrial = key.trialEndsAt !== null && effectiveTier(key, now) === 'pro';
  const loss = isTrial
    ? ['Your trial ends with it, and there is no second one. A new secret instead keeps the trial.']
    : [];
  return plainScreen(
    'confirm_revoke',
    [['Revoke ', { bold: key.name }, '? It stops working within 5 seconds and cannot be restored.'], ...loss],
    [
      [{ label: 'Yes, revoke it', action: `revoke_yes:${key.id}` }],
      [
        { label: 'New secret instead', action: `rotate:${key.id}` },
        { label: 'Keep it', action: `manage:${key.id}` },
      ],
    ],
  );
}

function revokedScreen(name: string): Screen {
  return plainScreen('revoked', [[{ bold: name }, ' is revoked.']], [[MY_KEYS_BUTTON, MENU_BUTTONS]]);
}
