import type { Screen } from './screen.ts';

/** The screen of `/help` for an operator: the commands of users, and where those of the operator are. */
export function withOperatorNote(screen: Screen): Screen {
  if (screen.name !== 'help') return screen;
  return { ...screen, body: [...screen.body, ['You are an operator here: /admin lists your commands.']] };
}
