import type { Button, Paragraph, Screen } from '../shared/screen.ts';
import type { ConsoleDeps } from './console-deps.ts';
import { fitBody } from './fit-body.ts';

/** What was typed behind a command's name, read: what is to be done, or what is wrong with it. */
export type Parsed<Work> =
  | { readonly ok: true; readonly work: Work }
  | { readonly ok: false; readonly wrong: string };

interface Named {
  readonly name: string;
  /** For example `extend CUSTOMER DAYS`. */
  readonly usage: string;
  /** At most 100 characters. */
  readonly description: string;
}

/** Shows something and changes nothing; it is not recorded. */
export interface ReadCommand extends Named {
  readonly kind: 'read';
  parse(argument: string): Parsed<(deps: ConsoleDeps) => Promise<Screen>>;
}

/** Changes something; every attempt is recorded. */
export interface ActCommand extends Named {
  readonly kind: 'act';
  /** What cannot be undone or reaches many is asked about first. */
  readonly isIrreversible: boolean;
  parse(argument: string): Parsed<(deps: ConsoleDeps, by: string) => Promise<Plan>>;
}

export type ConsoleCommand = ReadCommand | ActCommand;

/** What stands against it, in a sentence. */
export interface Refusal {
  readonly refused: string;
}

/** What an act would do. Making a plan changes nothing. */
export type Plan = Refusal | { readonly question: Question | null; act(): Promise<Done | Refusal> };

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
  return { name: `admin_${name}`, body: fitBody(body), buttons, secret: null, ask: null, repeated: null };
}

/** An act of which there is no more to show than what was done. */
export function done(said: string, more: readonly Paragraph[] = []): Done {
  return { said, screen: screenOf('done', [[said], ...more]) };
}

/** A tap on it is the same as the command typed. */
export function commandButton(label: string, line: string): Button {
  return { label, action: `admin:do:${line}` };
}
