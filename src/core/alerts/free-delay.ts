import { durationWords } from '../base/text/formats.ts';
import type { Clock } from '../base/time/clock.ts';
import type { EpochMs } from '../base/time/duration.ts';

/** Who reads alerts: in real time, or at the free delay. */
export interface Audience {
  readonly isRealtime: boolean;
}

/** Every reader without a key, or with a free one. */
export const DELAYED: Audience = { isRealtime: false };

interface FreeDelay {
  readonly clock: Pick<Clock, 'now'>;
  readonly freeDelayMs: number;
}

/** The age from which alerts exist for the audience, in milliseconds: 0 in real time. */
export function alertAgeFor(
  { isRealtime }: Audience,
  { freeDelayMs }: Pick<FreeDelay, 'freeDelayMs'>,
): number {
  return isRealtime ? 0 : freeDelayMs;
}

/** Alerts created after this time do not exist for the audience. Infinity in real time: in a replay alerts may be ahead of the clock. */
export function visibleUntil(audience: Audience, delay: FreeDelay): EpochMs {
  return audience.isRealtime ? Number.POSITIVE_INFINITY : delay.clock.now() - alertAgeFor(audience, delay);
}

/** Texts that are written once, with `{free_delay}` for the setting, as they are said with it: `5 minutes`. */
export function withFreeDelay<Texts>(texts: Texts, freeDelayMs: number): Texts {
  const words = freeDelayMs === 0 ? '0 seconds' : durationWords(freeDelayMs);
  return JSON.parse(JSON.stringify(texts).replaceAll('{free_delay}', words)) as Texts;
}
