import { type EpochMs, MINUTE_MS } from '../core/base/time/duration.ts';
import { UserError } from '../core/base/user-error.ts';

/** Election day: 18 alerts within the next 15 hours. */
const START_OF_RUN = Date.parse('2022-11-08T17:00:00Z');
/**
 * How long ago the run started: as long as visitors of the page wait for an alert. They see new ones from the first second on, with
 * the delay that the page states.
 */
export const HEAD_START_MS = 5 * MINUTE_MS;
/** A minute is 20 hours: 27 markets are settled at the start, and control of the Senate, with the most alerts, a minute later. */
const DEFAULT_SPEED = 1_200;
const DEFAULT_PORT = 8080;
const PORTS = [0, 65_535] as const;

export const DEMO_OPTIONS = {
  speed: {
    type: 'string',
    value: 'N',
    help: `how many times its own pace the tape plays (default ${DEFAULT_SPEED})`,
  },
  exit: {
    type: 'boolean',
    help: 'replay all of it with its own dates at full speed, print a summary and exit',
  },
  port: {
    type: 'string',
    value: 'N',
    help: `port of the API (default PORT of the environment, else ${DEFAULT_PORT}; a free one if that is taken)`,
  },
} as const;

export interface DemoOptions {
  readonly isExit: boolean;
  readonly speed: number;
  /** Null: the usual one, or a free one if that is taken. */
  readonly port: number | null;
  /** `PORT` of the environment, which in a container is the service's own. */
  readonly usualPort: number;
  /** The moment of the tape that is moved to the start of the run; null plays it at its own dates. */
  readonly shift: EpochMs | null;
}

export function demoOptions(
  values: { readonly speed?: string; readonly exit?: boolean; readonly port?: string },
  { PORT }: Readonly<Record<string, string | undefined>> = process.env,
): DemoOptions {
  const { speed, exit: isExit = false, port } = values;
  if (isExit && speed !== undefined) throw new UserError('--exit replays at full speed; leave out --speed.');
  return {
    isExit,
    speed: isExit ? 0 : numberOf('--speed', speed ?? String(DEFAULT_SPEED), [0.1, 1_000_000]),
    port: port === undefined ? null : numberOf('--port', port, PORTS),
    usualPort: PORT === undefined || PORT === '' ? DEFAULT_PORT : numberOf('PORT', PORT, PORTS),
    shift: isExit ? null : START_OF_RUN,
  };
}

function numberOf(name: string, text: string, [min, max]: readonly [number, number]): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= min && value <= max) return value;
  throw new UserError(`${name}: expected a number from ${min} to ${max}, got "${text}"`);
}
