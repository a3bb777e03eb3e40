import type { Alert } from './alert.ts';

/** Kinds of events, besides alerts, that are numbered 1, 2, 3 … without a gap. */
export const EVENT_KINDS = ['outcome', 'exit'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** The events of one kind. Each method throws what the stores throw. */
export interface NumberedEvents<Event = unknown> {
  /** The largest number now; 0 when there is none. */
  last(): Promise<number>;
  /** Null when there is no such event. */
  one(number: number): Promise<Event | null>;
  /** The recipients that want at least one alert that the event concerns, in the given order. */
  concerned<Recipient>(
    event: Event,
    recipients: readonly Recipient[],
    wants: (recipient: Recipient, alert: Alert) => boolean,
  ): Promise<readonly Recipient[]>;
}
