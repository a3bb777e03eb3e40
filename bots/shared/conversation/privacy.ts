import { counted } from '../../../src/core/base/text/formats.ts';
import { plainScreen, type Screen } from '../screen.ts';
import { MENU_BUTTONS, staleScreen } from './buttons.ts';
import { type ConversationDeps, chatCommand, type Feature } from './feature.ts';

/** Erases all data of a customer in two steps. The action of the second names the customer of the first. */
export function erase({ customers, removeKeyMessages }: ConversationDeps): Feature {
  return {
    commands: [chatCommand('delete', 'Delete your data, and your keys with it')],
    steps: {
      delete: ({ customer }) => confirmScreen(customer.id),
      async delete_yes({ customer, argument }) {
        if (argument !== customer.id) return staleScreen();
        const left = await removeKeyMessages(customer);
        await customers.erase(customer.id);
        return erasedScreen(left);
      },
    },
  };
}

function confirmScreen(customerId: string): Screen {
  return plainScreen(
    'confirm_delete',
    [
      [{ bold: 'Delete everything?' }],
      'Your keys stop working, you no longer follow anything, and your data is removed. This cannot be undone.',
      'What stays is an anonymous fingerprint, so that each person gets one trial, and the operator’s log of their own actions, which may name your customer number.',
    ],
    [
      [{ label: 'Yes, delete everything', action: `delete_yes:${customerId}` }],
      [{ label: 'Keep it', action: 'start' }],
    ],
  );
}

/** `left`: messages with a key that a platform did not remove; after this answer they are forgotten. */
function erasedScreen(left: number): Screen {
  const remainder = `${counted(left, 'message')} with a key could not be removed: delete what you find in your chat with the bot. The key in it no longer works.`;
  return plainScreen(
    'erased',
    [
      [{ bold: 'Deleted.' }],
      'Your keys no longer work, and your data is gone.',
      ...(left === 0 ? [] : [remainder]),
    ],
    [[MENU_BUTTONS]],
  );
}
