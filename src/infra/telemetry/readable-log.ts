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
type Shade = (text: string) => string;

/** Fields that say why, the best first. */
const CAUSES = ['err', 'reason', 'why', 'cause', 'detail'];
const CAUSE_LENGTH = 300;

/**
 * For people: each JSON line of `createLogger`, from which secrets are removed already, becomes one line with the local time,
 * the level, the message, the cause and the other fields. The library is loaded only here: a service whose lines are read by
 * programs does without it.
 */
export async function readableLog(options: ReadableLogOptions): Promise<DestinationStream> {
  const { write, isDebug, isColoured, hidden = new Set() } = options;
  const { prettyFactory } = (await import('pino-pretty')).default;
  const format = prettyFactory({
    colorize: isColoured,
    customColors: 'message:reset',
    useOnlyCustomProps: false,
    translateTime: 'SYS:HH:MM:ss',
    // Without brackets.
    customPrettifiers: { time: (time) => String(time) },
    hideObject: true,
    ignore: 'name,pid,hostname,caller',
    messageFormat: (log, key, _label, { colors }) => wordsOf(log, { key, isDebug, gray: colors.gray }),
  });
  // The message is the last field of a line. What is not JSON is shown as it is.
  const ends = Array.from(hidden, (message) => `"msg":${JSON.stringify(message)}}\n`);
  const isHidden = (line: string) =>
    !isDebug && line.startsWith('{"level":"info"') && ends.some((end) => line.endsWith(end));
  return {
    write(line) {
      if (!isHidden(line)) write(format(line));
    },
  };
}

function wordsOf(log: Fields, look: { readonly key: string; isDebug: boolean; gray: Shade }): string {
  const { [look.key]: message, level: _level, time: _time, ...fields } = log;
  const cause = CAUSES.find((name) => fields[name] != null);
  const { [cause ?? '']: why, ...others } = fields;
  const rest = Object.entries(others).filter(([, value]) => value != null);
  const parts = [
    oneLine(String(message)),
    ...(cause === undefined ? [] : [`: ${causeText(why)}`]),
    ...rest.map(([name, value]) => look.gray(` ${name}=${textOf(value)}`)),
  ];
  const stack = look.isDebug ? stackOf(why) : null;
  return parts.join('') + (stack === null ? '' : `\n${look.gray(stack)}`);
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
