import { styleText } from 'node:util';
import type { DestinationStream } from 'pino';
import { cutText, oneLine } from '../../core/base/text/formats.ts';

interface ReadableLogOptions {
  readonly write: (text: string) => void;
  /** Every line, with the stacks of errors. */
  readonly isDebug: boolean;
  readonly isColoured: boolean;
  /** Lines of the level `info` with these messages are left out unless `isDebug`. */
  readonly hidden?: ReadonlySet<string>;
}

type Fields = Readonly<Record<string, unknown>>;
type Style = Parameters<typeof styleText>[0];

/** Fields that say why, the best first. */
const CAUSES = ['err', 'reason', 'why', 'cause', 'detail'];
const CAUSE_LENGTH = 300;

/**
 * For people: each JSON line of `createLogger`, from which secrets are removed already, becomes one line with the local time,
 * the level, the message, the cause and the other fields.
 */
export function readableLog(options: ReadableLogOptions): DestinationStream {
  const { write, isDebug, hidden = new Set() } = options;
  // The message is the last field of a line.
  const ends = Array.from(hidden, (message) => `"msg":${JSON.stringify(message)}}\n`);
  const isHidden = (line: string) =>
    !isDebug && line.startsWith('{"level":"info"') && ends.some((end) => line.endsWith(end));
  return {
    write(line) {
      if (!isHidden(line)) write(`${readable(line.trimEnd(), options)}\n`);
    },
  };
}

const LEVEL_COLOURS: Readonly<Record<string, Style>> = {
  debug: 'blue',
  info: 'green',
  warn: 'yellow',
  error: 'red',
  fatal: 'red',
};

/** What is not JSON is shown as it is. */
function readable(line: string, { isDebug, isColoured }: ReadableLogOptions): string {
  const log = parsed(line);
  if (log === null) return line;
  const shade = (style: Style, text: string) =>
    isColoured ? styleText(style, text, { validateStream: false }) : text;
  const { msg: message, level, time, ...fields } = log;
  const cause = CAUSES.find((name) => fields[name] != null);
  const { [cause ?? '']: why, ...others } = fields;
  const rest = Object.entries(others).filter(([, value]) => value != null);
  const stack = isDebug ? stackOf(why) : null;
  return [
    `${new Date(String(time)).toTimeString().slice(0, 8)} `,
    `${shade(LEVEL_COLOURS[String(level)] ?? 'gray', String(level).toUpperCase())}: `,
    oneLine(String(message)),
    ...(cause === undefined ? [] : [`: ${causeText(why)}`]),
    ...rest.map(([name, value]) => shade('gray', ` ${name}=${textOf(value)}`)),
    ...(stack === null ? [] : [`\n${shade('gray', stack)}`]),
  ].join('');
}

function parsed(line: string): Fields | null {
  try {
    return JSON.parse(line) as Fields;
  } catch {
    return null;
  }
}

/** An error in one line: what it says, without its stack. */
function causeText(value: unknown): string {
  const { message } = Object(value) as { message?: unknown };
  return cutText(typeof message === 'string' ? oneLine(message) : textOf(value), CAUSE_LENGTH);
}

function textOf(value: unknown): string {
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value));
}

function stackOf(value: unknown): string | null {
  const { stack } = Object(value) as { stack?: unknown };
  if (typeof stack !== 'string') return null;
  const lines = stack.split('\n').map((line) => `    ${oneLine(line)}`);
  return lines.join('\n');
}
