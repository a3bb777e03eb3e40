import { KEY_LIMITS } from '../../../src/core/accounts/keys/key-service.ts';
import { plainScreen } from '../plain-screen.ts';
import type { Paragraph, Screen } from '../screen.ts';
import { MENU_BUTTONS, MY_KEYS_BUTTON } from './buttons.ts';
import type { ConversationDeps, Feature } from './feature.ts';
import { noSuchKeyScreen, withOwnKey } from './own-key.ts';

/** Another name for a key: asks for it, then writes it. */
export function rename({ customers }: ConversationDeps): Feature {
  return {
    commands: [],
    steps: {
      rename: withOwnKey(customers, ({ key }) =>
        askScreen('ask_name', key.id, ['What should ', { bold: key.name }, ' be called? Send me the name.']),
      ),
      rename_to: withOwnKey(customers, async ({ customer, key, rest }) => {
        const result = await customers.rename(customer.id, key.id, rest);
        if (result.ok) return renamedScreen(result.key.name);
        if (result.reason === 'unknown_key') return noSuchKeyScreen();
        return askScreen('bad_name', key.id, [
          `A name has 1 to ${KEY_LIMITS.nameLength} characters, of which at least one can be seen, fits one line, and is not a key. Send me another.`,
        ]);
      }),
    },
  };
}

function askScreen(name: string, keyId: string, words: Paragraph): Screen {
  return {
    ...plainScreen(name, [words], [[{ label: 'Keep the name', action: `manage:${keyId}` }]]),
    ask: { action: `rename_to:${keyId}`, label: 'New name' },
  };
}

function renamedScreen(name: string): Screen {
  return plainScreen(
    'renamed',
    [['It is called ', { bold: name }, ' now.']],
    [[MY_KEYS_BUTTON, MENU_BUTTONS]],
  );
}
