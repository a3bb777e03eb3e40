import { type Button, plainScreen, type Screen } from '../screen.ts';
import { operatorSpans } from './words.ts';

export const MENU_BUTTONS: Button = { label: 'Menu', action: 'start' };
export const MY_KEYS_BUTTON: Button = { label: 'My keys', action: 'keys' };
export const GET_KEY_BUTTON: Button = { label: 'Get a key', action: 'key' };
export const ANOTHER_KEY_BUTTON: Button = { label: 'Get another key', action: 'key' };
export const HOT_MARKETS_BUTTON: Button = { label: 'Hot markets', action: 'hot' };
export const LAST_ALERTS_BUTTON: Button = { label: 'Last alerts', action: 'alerts' };
export const ABOUT_ALERTS_BUTTON: Button = { label: 'What alerts mean', action: 'about' };
export const UPGRADE_BUTTON: Button = { label: 'Upgrade', action: 'upgrade' };
export const FOLLOW_BUTTON: Button = { label: 'Follow alerts', action: 'follows' };
export const FOLLOWS_BUTTON: Button = { label: 'My follows', action: 'follows' };
export const SETTINGS_BUTTON: Button = { label: 'Settings', action: 'settings' };
export const MUTES_BUTTON: Button = { label: 'Muted', action: 'mute' };
export const HELP_BUTTON: Button = { label: 'Help', action: 'help' };

export function staleScreen(): Screen {
  return plainScreen(
    'stale',
    ['That button is out of date. Continue here:'],
    [[MENU_BUTTONS, MY_KEYS_BUTTON]],
  );
}

export function bannedScreen(contact: string | null): Screen {
  return plainScreen(
    'banned',
    [
      [{ bold: 'You cannot get or use keys here any more.' }],
      ['If you think that is a mistake, write to ', ...operatorSpans(contact), '.'],
    ],
    [[HOT_MARKETS_BUTTON, { label: 'Delete my data', action: 'delete' }]],
  );
}

/** An internal error. `retry` is the action that failed. */
export function sorryScreen(retry: string): Screen {
  return plainScreen(
    'sorry',
    ['Something went wrong on my side. Nothing was lost; try again.'],
    [[{ label: 'Try again', action: retry }]],
  );
}
