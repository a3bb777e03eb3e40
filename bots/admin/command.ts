import { cutText } from '../../src/core/base/text/formats.ts';
import { type Button, type Paragraph, plainScreen, plainText, type Screen } from '../shared/screen.ts';
import type { ConsoleDeps } from './console-deps.ts';

export interface Wrong {
  readonly wrong: string;
}

export interface ConsoleCommand {
  /** Name and arguments, for example `revoke KEY`. A single argument in capitals is required. */
  readonly usage: string;
  /** At most 100 characters. */
  readonly description: string;
  /** Acts that cannot be undone or reach many people ask for a confirmation. */
  readonly isIrreversible?: true;
  /** Shows something, or plans an act; changes nothing. `argument`: trimmed, without secrets. */
  run(argument: string, deps: ConsoleDeps, by: string): Promise<Screen | Plan | Wrong>;
}

/** How an act is recorded. The audit log is never erased: it has ids of customers and keys, no names of people. */
interface Recording {
  /** The arguments with ids instead of names; absent: as they were typed. */
  readonly args?: string;
  /** Texts that name a person, which questions and outcomes are recorded without. */
  readonly personal?: readonly string[];
}

export interface Refusal extends Recording {
  readonly refused: string;
}

/** An act that may begin. Every attempt is recorded. */
export interface PlannedAct extends Recording {
  readonly question?: Question | undefined;
  act(): Promise<Done | Refusal>;
}

export type Plan = Refusal | PlannedAct;

export interface Question {
  readonly body: readonly Paragraph[];
  readonly yes: string;
}

export interface Done {
  readonly said: string;
  readonly screen: Screen;
}

export function screenOf(
  name: string,
  body: readonly Paragraph[],
  buttons: readonly (readonly Button[])[] = [],
): Screen {
  return plainScreen(`admin_${name}`, fitBody(body), buttons);
}

export function done(said: string, more: readonly Paragraph[] = []): Done {
  return { said, screen: screenOf('done', [[said], ...more]) };
}

/** What this operator types before a command: `/find`, `/admin find` on Discord, `find` on a terminal. */
export function prefixFor(by: string): string {
  if (by.startsWith('telegram:')) return '/';
  return by.startsWith('discord:') ? '/admin ' : '';
}

export function commandButton(label: string, line: string): Button {
  return { label, action: `admin:do:${line}` };
}

/** A whole number, also as `#12`; null for other texts and numbers out of bounds. */
export function wholeNumber(text: string, min: number, max: number): number | null {
  const value = /^#?\d{1,15}$/.test(text) ? Number(text.replace('#', '')) : Number.NaN;
  return value >= min && value <= max ? value : null;
}

export function alertNumber(text: string): number | null {
  return wholeNumber(text, 1, Number.MAX_SAFE_INTEGER);
}

export const BAD_ALERT_ID: Wrong = { wrong: 'ALERT_ID is the number of an alert, for example 1234.' };

export function splitFirst(argument: string): readonly [string, string] {
  const [, first = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(argument) ?? [];
  return [first, rest];
}

const QUOTED_LENGTH = 60;

export function quote(text: string): string {
  return `“${cutText(text, QUOTED_LENGTH)}”`;
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
