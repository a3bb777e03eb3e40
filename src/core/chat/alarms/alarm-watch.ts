import { FailureLog } from '../../base/async/failure-log.ts';
import { repeat } from '../../base/async/repeat.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time/clock.ts';
import { type EpochMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../base/time/duration.ts';
import type { AlarmName, OperatorAlarm, OperatorAlarms } from '../../operations/operator-alarm.ts';
import type { NewChatMessage, Recipient } from '../chat-message.ts';

const INTERVAL_MS = 10 * SECOND_MS;
/** Shorter problems raise no alarm. */
const RAISE_AFTER_MS = 30 * SECOND_MS;
/** An alarm is over when nothing was wrong for a minute; each time it is raised again within an hour, twice as long. */
const QUIET_MS = { first: MINUTE_MS, most: 16 * MINUTE_MS };
const RAISED_AGAIN_MS = HOUR_MS;
/** A raised alarm is reported again for a newer case at most this often. */
const NEWER_CASE_MS = HOUR_MS;

/** What the source of an alarm says now. */
export interface AlarmReading {
  readonly name: AlarmName;
  /** What is wrong and what to do, in a sentence; null: nothing is wrong. */
  readonly sentence: string | null;
  /** For an alarm about single cases: when the newest began. A raised alarm is reported again for a newer one. */
  readonly newestCaseAt?: EpochMs;
}

interface AlarmWatchOptions {
  /** What the sources say now; a source that does not know is left out, and its alarm stays as it is. */
  readonly readings: () => Promise<readonly AlarmReading[]>;
  readonly alarms: Pick<OperatorAlarms, 'list' | 'put'>;
  readonly operators: readonly Extract<Recipient, `operator:${string}`>[];
  /** Takes the messages about an alarm; idempotent by their ids. An alarm whose messages fail is reported again. */
  readonly report: (messages: readonly NewChatMessage[]) => Promise<unknown>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** Raises the operator's alarms and reports each once, when it is raised and when it is over, also across restarts. */
export class AlarmWatch {
  readonly #options: AlarmWatchOptions;
  /** Since when a source has disagreed with the state of its alarm. */
  readonly #differs = new Map<AlarmName, EpochMs>();

  constructor(options: AlarmWatchOptions) {
    this.#options = options;
  }

  /** Looks every 10 seconds, until the signal aborts. Never throws. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options;
    const failures = new FailureLog(logger, 'alarms of the operator unavailable; retrying every 10 s');
    await repeat(() => this.look(), { clock, signal, intervalMs: INTERVAL_MS, failures });
  }

  /** One look at all sources. Throws what the stores throw. */
  async look(): Promise<void> {
    const { readings, alarms } = this.#options;
    const states = new Map((await alarms.list()).map((alarm) => [alarm.name, alarm]));
    for (const reading of await readings()) {
      const next = this.#decide(reading, states.get(reading.name));
      if (next === null) continue;
      await alarms.put(next);
      states.set(next.name, next);
    }
    for (const alarm of states.values()) if (!alarm.isReported) await this.#report(alarm);
  }

  /** The new state of an alarm; null when it stays. */
  #decide(reading: AlarmReading, state: OperatorAlarm | undefined): OperatorAlarm | null {
    const { name, sentence, newestCaseAt } = reading;
    const now = this.#options.clock.now();
    const isRaised = state?.isRaised ?? false;
    if (isRaised === (sentence !== null)) {
      this.#differs.delete(name);
      return withNewerCase(reading, state, now);
    }
    const since = this.#differs.get(name) ?? now;
    this.#differs.set(name, since);
    if (now - since < (state?.isRaised === true ? quietMs(state) : RAISE_AFTER_MS)) return null;
    this.#differs.delete(name);
    if (sentence === null) return state === undefined ? null : over(state, since);
    const isAgain = state?.until != null && since - state.until < RAISED_AGAIN_MS;
    const raises = isAgain ? state.raises + 1 : 1;
    const begun = { since: newestCaseAt ?? since, until: null };
    return { name, sentence, raises, isRaised: true, isReported: false, ...begun };
  }

  async #report(alarm: OperatorAlarm): Promise<void> {
    const { alarms, report, operators, clock, logger } = this.#options;
    const { name, sentence, since, until } = alarm;
    const now = clock.now();
    const phase = until === null ? 'raised' : 'over';
    const messages = operators.map(
      (recipient): NewChatMessage => ({
        id: `operator_alarm:${name}:${since}:${phase}@${recipient}`,
        recipient,
        kind: 'operator_alarm',
        facts: { alarm: name, sentence, since, until },
        createdAt: now,
        dueAt: now,
      }),
    );
    if (messages.length > 0) await report(messages);
    await alarms.put({ ...alarm, isReported: true });
    if (until === null) logger.warn({ alarm: name, since, detail: sentence }, 'operator alarm raised');
    else logger.info({ alarm: name, since, until }, 'operator alarm is over');
  }
}

/** The raised alarm with a case newer than the reported one; null without one, or within an hour of the report. */
function withNewerCase(
  { sentence, newestCaseAt }: AlarmReading,
  state: OperatorAlarm | undefined,
  now: EpochMs,
): OperatorAlarm | null {
  if (state === undefined || sentence === null || newestCaseAt === undefined) return null;
  if (newestCaseAt <= state.since || now - state.since < NEWER_CASE_MS) return null;
  return { ...state, sentence, since: newestCaseAt, isReported: false };
}

function over(alarm: OperatorAlarm, until: EpochMs): OperatorAlarm {
  return { ...alarm, isRaised: false, until, isReported: false };
}

function quietMs({ raises }: OperatorAlarm): number {
  return Math.min(QUIET_MS.most, QUIET_MS.first * 2 ** (raises - 1));
}
