import type { Visitor } from '../../../src/core/accounts/customers/customer.ts';
import { plainScreen } from '../plain-screen.ts';
import { MENU_BUTTONS } from './buttons.ts';
import { command, type Feature } from './feature.ts';

/** The person's id, in the form of the setting `ADMIN_IDS`. */
export function ownId(): Feature {
  return {
    commands: [command('id', 'Your numeric id here')],
    steps: {
      id: ({ visitor }) =>
        plainScreen(
          'own_id',
          [[{ code: `${visitor.platform}:${visitor.userId}` }], use(visitor)],
          [[MENU_BUTTONS]],
        ),
    },
  };
}

function use({ platform }: Visitor): string {
  if (platform === 'terminal')
    return 'That is you on this keyboard. The operator’s commands need no id here.';
  return 'That is you here, as I know you. Only the operator of this service needs it: for the setting ADMIN_IDS.';
}
