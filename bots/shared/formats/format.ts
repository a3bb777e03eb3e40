import type { Paragraph, Screen } from '../screen.ts';

/** A request's JSON, and how many of the screens it holds. */
export interface Formatted {
  readonly body: string;
  readonly screens: number;
}

/** Several screens as one message of another service: as many as fit, from the first; one that is too long alone is cut. */
export type Format = (screens: readonly Screen[]) => Formatted;

/** Makes a format of what writes the whole and what tells whether it fits. `write` cuts a single screen. */
export function formatOf<Message>(
  write: (screens: readonly Screen[]) => Message,
  fits: (screens: readonly Screen[]) => boolean,
): Format {
  return (screens) => {
    const secret = screens.find(({ secret }) => secret !== null);
    if (secret !== undefined) throw new Error(`a secret must not leave the chat: ${secret.name}`);
    let count = Math.min(1, screens.length);
    while (count < screens.length && fits(screens.slice(0, count + 1))) count += 1;
    return { body: JSON.stringify(write(screens.slice(0, count))), screens: count };
  };
}

/** The text of a screen, with its links as a last paragraph. Other buttons answer in a chat with the bot only. */
export function textWithLinks(screen: Screen): readonly Paragraph[] {
  const links = linksOf(screen).flatMap(({ label, url }, index) => [
    ...(index === 0 ? [] : [' · ']),
    { link: url, text: label },
  ]);
  return links.length === 0 ? screen.body : [...screen.body, links];
}

export function linksOf({ buttons }: Pick<Screen, 'buttons'>) {
  return buttons.flat().filter((button) => 'url' in button && /^https?:\/\//.test(button.url)) as readonly {
    readonly label: string;
    readonly url: string;
  }[];
}

/** Whether none of the screens has to be heard. */
export function areSilent(screens: readonly Screen[]): boolean {
  return screens.every(({ isSilent }) => isSilent);
}
