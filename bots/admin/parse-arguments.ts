import { shortened } from '../shared/screen.ts';
import type { Wrong } from './command.ts';

/** A whole number, also as `#12`; null for other texts and numbers out of bounds. */
export function wholeNumber(text: string, { min, max }: { min: number; max: number }): number | null {
  const value = /^#?\d{1,15}$/.test(text) ? Number(text.replace('#', '')) : Number.NaN;
  return value >= min && value <= max ? value : null;
}

const QUOTED_LENGTH = 60;

/** Input as an answer repeats it. */
export function quote(text: string): string {
  return `“${shortened(text, QUOTED_LENGTH)}”`;
}

/** Splits at spaces; a quoted text is one argument with `isQuoted`. */
export function splitArguments(
  text: string,
): readonly { readonly text: string; readonly isQuoted: boolean }[] {
  const found = text.matchAll(/["“„]([^"”“]*)["”“]|(\S+)/g);
  return [...found].map(([, quoted, plain]) => ({
    text: quoted ?? plain ?? '',
    isQuoted: quoted !== undefined,
  }));
}

/** For a command without arguments. */
export function parseNoArgument<Work>(argument: string, work: Work): Work | Wrong {
  return argument === '' ? work : { wrong: 'It takes no arguments.' };
}

/** For a command with one argument, which may contain spaces. */
export function parseOneArgument<Work>(
  argument: string,
  what: string,
  work: (text: string) => Work,
): Work | Wrong {
  return argument === '' ? { wrong: `${what} is missing.` } : work(argument);
}
