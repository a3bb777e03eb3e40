/** A moment in milliseconds since the Unix epoch, UTC. The only unit of time inside the service. */
export type EpochMs = number;

/** A second in milliseconds. */
export const SECOND_MS = 1_000;
/** A minute in milliseconds. */
export const MINUTE_MS = 60_000;
/** An hour in milliseconds. */
export const HOUR_MS = 3_600_000;
/** A day in milliseconds. */
export const DAY_MS = 86_400_000;
