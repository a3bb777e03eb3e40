import { FailureLog } from '../async/failure-log.ts';
import { repeat } from '../async/repeat.ts';
import type { Logger } from '../logger.ts';
import type { SteadyClock } from './clock.ts';
import { type EpochMs, MINUTE_MS, SECOND_MS } from './duration.ts';

/** Two clocks agree if they differ by this much at most. */
export const CLOCK_TOLERANCE_MS = MINUTE_MS;
/** A new time of the host that no other clock confirms or denies is accepted after this time. */
export const ACCEPTED_AFTER_MS = 10 * MINUTE_MS;
const LOOK_EVERY_MS = SECOND_MS;
const READ_EVERY_MS = 10 * SECOND_MS;

/** Clocks whose time is compared. */
export type ClockName = 'host' | 'database' | 'market';

/** Counts what happens to the host's clock. */
export interface ClockMetrics {
  /** The wall clock of the host was set by more than a minute. */
  clockStepped(): void;
  clockUncertain(isUncertain: boolean): void;
}

interface TrustedClockOptions {
  readonly host: SteadyClock;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly metrics: ClockMetrics;
}

/** A new time that nothing confirms, as an offset, and since when it is shown (monotonic). */
interface Doubt {
  readonly offset: number;
  readonly since: number;
}

/** State of the time, for readiness. */
export interface ClockStatus {
  /** The host's clock was set, and no other clock confirms or denies the new time. */
  readonly isUncertain: boolean;
  /** By how much the host's clock is ahead of the time in use, milliseconds. */
  readonly hostAheadMs: number;
}

/**
 * The time of the service. It advances by the host's monotonic time and follows the clock of the database, or without one the
 * host's. A clock that is suddenly more than a minute off is followed only if another one confirms it; while none confirms or
 * denies it the time is uncertain, and the new one is accepted after 10 minutes. Offsets are times less monotonic time.
 */
export class TrustedClock implements SteadyClock {
  readonly #options: TrustedClockOptions;
  /** Offsets of the other clocks, read since the host's was last set. */
  readonly #references = new Map<ClockName, number>();
  readonly #failures: FailureLog;
  #readTime: (() => Promise<EpochMs>) | null = null;
  #readAt = Number.NEGATIVE_INFINITY;
  #offset: number;
  #hostOffset: number;
  #wasCompared = false;
  #doubt: Doubt | null = null;
  #ignored: ClockName | null = null;

  constructor(options: TrustedClockOptions) {
    this.#options = options;
    this.#failures = new FailureLog(options.logger, 'clock of the database unavailable; retrying');
    this.#hostOffset = this.#readHost();
    this.#offset = this.#hostOffset;
  }

  /** Reads only the monotonic clock. */
  readonly now = (): EpochMs => Math.floor(this.monotonic() + this.#offset);

  readonly monotonic = (): number => this.#options.host.monotonic();

  readonly sleep = (ms: number, signal?: AbortSignal): Promise<void> => this.#options.host.sleep(ms, signal);

  get isUncertain(): boolean {
    return this.#doubt !== null;
  }

  status(): ClockStatus {
    return { isUncertain: this.isUncertain, hostAheadMs: Math.round(this.#readHost() - this.#offset) };
  }

  /** Uses the clock of a database from now on. `readTime` null: it has none. Never throws. */
  async follow(readTime: (() => Promise<EpochMs>) | null): Promise<void> {
    this.#readTime = readTime;
    await this.look();
  }

  observe(name: Exclude<ClockName, 'host'>, time: EpochMs): void {
    this.#references.set(name, time - this.monotonic());
  }

  /**
   * Accepts the new time of the host without confirmation. Returns how much the time changed, in milliseconds; null if it was
   * certain.
   */
  accept(): number | null {
    this.#compare();
    if (this.#doubt === null) return null;
    const { offset } = this.#doubt;
    const byMs = offset - this.#offset;
    this.#moveTo(offset, 'by the operator');
    return byMs;
  }

  /** Compares the clocks every second, until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    return repeat(() => this.look(), { clock: this, signal, intervalMs: LOOK_EVERY_MS });
  }

  /** Compares the clocks. Never throws. */
  async look(): Promise<void> {
    this.#noticeStep();
    const isKnown = this.#references.has('database');
    if (!isKnown || this.monotonic() - this.#readAt >= READ_EVERY_MS) await this.#readDatabase();
    this.#compare();
  }

  /** After a step nothing is known of the other clocks: a host that was suspended measured too little time. */
  #noticeStep(): void {
    const offset = this.#readHost();
    const byMs = offset - this.#hostOffset;
    this.#hostOffset = offset;
    if (areClose(byMs, 0)) return;
    const { logger, metrics } = this.#options;
    this.#references.clear();
    metrics.clockStepped();
    logger.warn({ seconds: Math.round(byMs / SECOND_MS) }, 'the clock of this host was set');
  }

  #readHost(): number {
    const { host } = this.#options;
    return host.now() - host.monotonic();
  }

  async #readDatabase(): Promise<void> {
    if (this.#readTime === null) return;
    const askedAt = this.monotonic();
    this.#readAt = askedAt;
    const time = await this.#failures.guard(this.#readTime);
    if (time === null) return;
    // The time was read between question and answer: the known offset stays if that allows it, so that the time does not jitter.
    const least = time - this.monotonic();
    const most = time + 1 - askedAt;
    const known = this.#references.get('database') ?? this.#offset;
    this.#references.set('database', Math.min(most, Math.max(least, known)));
  }

  #compare(): void {
    this.#noticeStep();
    const [name, offset] = this.#preferred();
    const others = this.#offsetsBeside(name);
    const isFirst = !this.#wasCompared && name !== 'host';
    const denying = others.find((other) => areClose(other, this.#offset));
    if (areClose(offset, this.#offset)) this.#follow(offset);
    else if (isFirst || others.some((other) => areClose(other, offset)))
      this.#moveTo(offset, `by the ${name}`);
    else if (denying !== undefined) this.#follow(denying);
    else this.#doubtOf(offset);
    this.#wasCompared ||= this.#references.size > 0;
    this.#reportIgnored();
  }

  /** The clock to follow. The host's is not used where the market's is a minute off. */
  #preferred(): readonly [ClockName, number] {
    const database = this.#references.get('database');
    if (database !== undefined) return ['database', database];
    const market = this.#references.get('market');
    const isHostWrong = market !== undefined && !areClose(market, this.#hostOffset);
    return isHostWrong ? ['market', market] : ['host', this.#hostOffset];
  }

  #offsetsBeside(name: ClockName): readonly number[] {
    const all: readonly (readonly [ClockName, number])[] = [['host', this.#hostOffset], ...this.#references];
    return all.filter(([other]) => other !== name).map(([, offset]) => offset);
  }

  #follow(offset: number): void {
    if (this.#doubt !== null) this.#settle('the former time is confirmed');
    this.#offset = offset;
  }

  #moveTo(offset: number, how: string): void {
    const seconds = Math.round((offset - this.#offset) / SECOND_MS);
    this.#offset = offset;
    this.#settle('a new time is in use', { seconds, confirmed: how });
  }

  #doubtOf(offset: number): void {
    const now = this.monotonic();
    if (this.#doubt !== null && areClose(offset, this.#doubt.offset)) {
      if (now - this.#doubt.since >= ACCEPTED_AFTER_MS) this.#moveTo(offset, 'by its steadiness');
      return;
    }
    const { logger, metrics } = this.#options;
    this.#doubt = { offset, since: now };
    metrics.clockUncertain(true);
    const seconds = Math.round((offset - this.#offset) / SECOND_MS);
    logger.error(
      { seconds },
      'the time is uncertain: the clock was set, and no other clock confirms it. No alert is published until it is set back, another ' +
        'clock confirms it, the operator does (“tipoff admin resume clock”), or it has been steady for 10 minutes',
    );
  }

  #settle(message: string, fields: object = {}): void {
    const { logger, metrics } = this.#options;
    this.#doubt = null;
    metrics.clockUncertain(false);
    logger.warn(fields, message);
  }

  #reportIgnored(): void {
    const clocks: readonly (readonly [ClockName, number])[] = [
      ...this.#references,
      ['host', this.#hostOffset],
    ];
    const wrong = this.isUncertain ? undefined : clocks.find(([, offset]) => !areClose(offset, this.#offset));
    const name = wrong?.[0] ?? null;
    if (name === this.#ignored) return;
    this.#ignored = name;
    const { logger } = this.#options;
    if (wrong === undefined) logger.info({}, 'the clocks agree');
    else {
      const seconds = Math.round((wrong[1] - this.#offset) / SECOND_MS);
      logger.warn({ clock: name, seconds }, 'a clock is wrong and not used: synchronise it (NTP)');
    }
  }
}

function areClose(one: number, other: number): boolean {
  return Math.abs(one - other) <= CLOCK_TOLERANCE_MS;
}

/** A clock that is ahead for less than this time does not advance a `SettledTime`. */
export const SETTLED_AFTER_MS = 10 * MINUTE_MS;

interface Reading {
  readonly at: number;
  /** Time less monotonic time. */
  readonly offset: number;
}

/**
 * The time by the earliest clock of the last 10 minutes, for what cannot be undone: a clock that is ahead for less than 10 minutes,
 * and was right before, does not advance it. While the clock is steady it is the time.
 */
export class SettledTime {
  readonly #clock: Pick<SteadyClock, 'now' | 'monotonic'>;
  #readings: readonly Reading[] = [];

  constructor(clock: Pick<SteadyClock, 'now' | 'monotonic'>) {
    this.#clock = clock;
  }

  /** Null until two looks were `seenForMs` apart, at most 10 minutes: before that nothing is known of the clock. */
  look(seenForMs: number): EpochMs | null {
    const at = this.#clock.monotonic();
    const isOld = (reading: Reading) => at - reading.at >= SETTLED_AFTER_MS;
    const first = Math.max(0, this.#readings.findLastIndex(isOld));
    this.#readings = [...this.#readings.slice(first), { at, offset: this.#clock.now() - at }];
    const [oldest] = this.#readings;
    if (oldest === undefined || at - oldest.at < seenForMs) return null;
    return Math.floor(at + Math.min(...this.#readings.map(({ offset }) => offset)));
  }
}
