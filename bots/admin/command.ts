import type { CommandNeed } from '../../src/core/operations/operator-request.ts';
import { plainScreen } from '../shared/plain-screen.ts';
import { type Button, type Paragraph, plainText, type Screen } from '../shared/screen.ts';
import type { ConsoleDeps } from './console-deps.ts';

/** What is wrong with the arguments of a command. */
export interface Wrong {
  readonly wrong: string;
}

interface Named {
  readonly name: string;
  /** For example `extend CUSTOMER DAYS`. */
  readonly usage: string;
  /** At most 100 characters. */
  readonly description: string;
}

/** Shows something without changes; it is not recorded. */
export interface ReadCommand extends Named {
  readonly kind: 'read';
  /** The work of the command. */
  parse(argument: string): ((deps: ConsoleDeps, by: string) => Promise<Screen>) | Wrong;
}

/** Changes something; every attempt is recorded. */
export interface ActCommand extends Named {
  readonly kind: 'act';
  /** Acts that cannot be undone or reach many people ask for a confirmation. */
  readonly isIrreversible: boolean;
  parse(argument: string): ((deps: ConsoleDeps, by: string) => Promise<Plan>) | Wrong;
}

export type ConsoleCommand = ReadCommand | ActCommand;

/** How an act is recorded. The audit log is never erased: it has ids of customers and keys, no names of people. */
interface Recording {
  /** The arguments with ids instead of names; absent: as they were typed. */
  readonly args?: string;
  /** Texts that name a person, which questions and outcomes are recorded without. */
  readonly personal?: readonly string[];
}

/** The reason of a refusal, in a sentence. */
export interface Refusal extends Recording {
  readonly refused: string;
}

/** What an act would do, and the question before it. Making a plan changes nothing. */
export type Plan =
  | Refusal
  | (Recording & {
      readonly question?: Question | null;
      /** A process without it has the act carried out by another one. */
      readonly needs?: CommandNeed | null;
      act(): Promise<Done | Refusal>;
    });

/** Asked before an act that cannot be undone. */
export interface Question {
  readonly body: readonly Paragraph[];
  /** The label of the button. */
  readonly yes: string;
}

/** An act that was done. */
export interface Done {
  /** For the audit log. */
  readonly said: string;
  readonly screen: Screen;
}

/** A screen without a secret. */
export function screenOf(
  name: string,
  body: readonly Paragraph[],
  buttons: readonly (readonly Button[])[] = [],
): Screen {
  return plainScreen(`admin_${name}`, fitBody(body), buttons);
}

/** An act whose screen shows what was done, with further paragraphs. */
export function done(said: string, more: readonly Paragraph[] = []): Done {
  return { said, screen: screenOf('done', [[said], ...more]) };
}

/** What stands before a command where this operator types it: `/find`, `/admin find` on Discord, `find` on a keyboard. */
export function prefixFor(by: string): string {
  if (by.startsWith('telegram:')) return '/';
  return by.startsWith('discord:') ? '/admin ' : '';
}

/** A tap has the same effect as the typed command. */
export function commandButton(label: string, line: string): Button {
  return { label, action: `admin:do:${line}` };
}

/** A message of Telegram holds 4,096 characters. */
const MOST_CHARACTERS = 3_500;

/** As many paragraphs as fit one message, with a note when some are left out. */
function fitBody(body: readonly Paragraph[]): readonly Paragraph[] {
  let characters = 0;
  const fitting: Paragraph[] = [];
  for (const paragraph of body) {
    characters += plainText({ body: [paragraph] }).length + 2;
    if (characters > MOST_CHARACTERS) return [...fitting, ['… and more than fits here.']];
    fitting.push(paragraph);
  }
  return fitting;
}
