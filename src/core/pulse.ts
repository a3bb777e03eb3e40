import type { Clock } from './clock.ts';
import { SECOND_MS } from './duration.ts';
import type { Logger } from './ports/logger.ts';
import type { Pulse, PulseStore } from './ports/pulse-store.ts';
import { within } from './within.ts';

/** How often a process gives a sign of life; one that has not for three times as long is taken for dead. */
export const PULSE_EVERY_MS = 10 * SECOND_MS;
const TIMEOUT_MS = 2 * SECOND_MS;

/** What a pulse stands on. */
export interface PulseDeps {
  readonly pulses: Pick<PulseStore, 'beat' | 'remove'>;
  /** Names this process. */
  readonly owner: string;
  readonly roles: readonly string[];
  /** The checks of `/readyz`. */
  readonly checks: () => Promise<Pulse['checks']>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Gives signs of life until the signal aborts, and takes the last one back then: what is left is of a process that was
 * killed. Never throws: a beat that fails is left out.
 */
export function createPulse({ pulses, owner, roles, checks, clock, logger }: PulseDeps) {
  let isAway = false;

  async function tell(what: () => Promise<void>): Promise<void> {
    try {
      await within({ clock, timeoutMs: TIMEOUT_MS }, what());
      isAway = false;
    } catch (error) {
      if (!isAway) logger.warn({ err: error }, 'no sign of life can be given; trying again');
      isAway = true;
    }
  }

  const write = async () => pulses.beat({ owner, roles, at: clock.now(), checks: await checks() });

  return {
    async run(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        await tell(write);
        await clock.sleep(PULSE_EVERY_MS, signal);
      }
      await tell(() => pulses.remove(owner));
    },
  };
}
