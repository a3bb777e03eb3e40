import { plainScreen } from '../plain-screen.ts';
import type { Screen } from '../screen.ts';
import { MENU_BUTTONS, staleScreen } from './buttons.ts';
import { type ConversationDeps, command, type Feature } from './feature.ts';

/** Erases all data of a customer in two steps. The action of the second names the customer of the first. */
export function erase({ customers, questions }: ConversationDeps): Feature {
  return {
    commands: [command('delete', 'Delete my data, and my keys with it')],
    steps: {
      delete: ({ customer }) => confirmScreen(customer.id),
      async delete_yes({ customer, argument }) {
        if (argument !== customer.id) return staleScreen();
        await customers.erase(customer.id);
        for (const handle of customer.handles) await questions.remove(handle);
        return erasedScreen();
      },
    },
  };
}

function confirmScreen(customerId: string): Screen {
  return plainScreen(
    'confirm_delete',
    [
      [{ bold: 'Delete everything?' }],
      'Your keys stop working, and your data is removed, here and on a platform that you linked. This cannot be undone.',
      'One thing stays: an anonymous fingerprint, so that each person gets one trial.',
    ],
    [
      [{ label: 'Yes, delete everything', action: `delete_yes:${customerId}` }],
      [{ label: 'Keep it', action: 'start' }],
    ],
  );
}

function erasedScreen(): Screen {
  return plainScreen(
    'erased',
    [[{ bold: 'Deleted.' }], 'Your keys no longer work, and your data is gone.'],
    [[MENU_BUTTONS]],
  );
}
