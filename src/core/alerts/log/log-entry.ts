import type { EpochMs } from '../../base/time/duration.ts';

/** Kinds of log entries. */
export const LOG_KINDS = [
  'software',
  'rules',
  'alert',
  'outcome',
  'correction',
  'exit',
  'withdrawal',
  'positions_lost',
  'blind_opened',
  'blind_closed',
] as const;
export type LogKind = (typeof LOG_KINDS)[number];

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
/** A JSON object. */
export type JsonObject = { readonly [name: string]: Json };

/** Whether a JSON value is an object, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An entry of the log, identified by its position and its content: the entry and all entries before it. */
export interface LogHead {
  /** 1, 2, 3 … without a gap; 0 for the empty log. */
  readonly seq: number;
  /** SHA-256 of the entry's canonical bytes, 64 lower-case hexadecimal digits; 64 zeros for the empty log. */
  readonly hash: string;
}

/** The head of a log without entries, and the `previous` of the first entry. */
export const EMPTY_LOG: LogHead = { seq: 0, hash: '0'.repeat(64) };

/** An entry to be appended. */
export interface LogDraft {
  readonly kind: LogKind;
  /**
   * What the entry is about, unique within its topic, for example the key of an alert or an exit, `market:0x…`, `window:blind_…`,
   * `rules`, `software`. Indexed, and not part of the canonical bytes.
   */
  readonly subject: string;
  /** On the source's published clock. The log never goes back in time: an entry gets at least the time of the entry before it. */
  readonly at: EpochMs;
  readonly body: JsonObject;
}

/** An entry of the log. Never changed or deleted. */
export interface LogEntry extends LogDraft, LogHead {
  readonly previous: string;
}
