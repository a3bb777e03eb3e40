import type { EpochMs } from '../../base/time/duration.ts';
import { HEARTBEAT_TIMEOUT_MS } from '../../operations/heartbeat.ts';
import type { WebhookRange } from './delivery.ts';
import type { DeliveryEngineOptions } from './delivery-engine-options.ts';

const DIGITS = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';

/**
 * Divides the webhooks among the processes that deliver: their ids are random, so ranges of the same width contain about equally
 * many. If processes disagree for a while about who is alive, two try the same delivery and one gets it, or none does and it
 * becomes a stray.
 */
export class Shares {
  readonly #options: Pick<DeliveryEngineOptions, 'heartbeats' | 'owner' | 'isGone' | 'clock'>;
  /** The last heartbeat of each process, and when this process first saw it, as clocks of hosts may differ. */
  #seen = new Map<string, { readonly at: EpochMs; readonly seenAt: EpochMs }>();
  #owners: readonly string[];

  /** This process has all webhooks before the first `refresh`. */
  constructor(options: Pick<DeliveryEngineOptions, 'heartbeats' | 'owner' | 'isGone' | 'clock'>) {
    this.#options = options;
    this.#owners = [options.owner];
  }

  /** The webhooks whose deliveries this process takes. */
  own(): WebhookRange {
    const { length } = this.#owners;
    const index = this.#owners.indexOf(this.#options.owner);
    return { from: boundOf(index / length), below: boundOf((index + 1) / length) };
  }

  /** Reads which processes are alive. Throws what the store throws. */
  async refresh(): Promise<void> {
    const { heartbeats, owner, isGone, clock } = this.#options;
    const found = await heartbeats.list();
    const now = clock.now();
    const others = found.filter((each) => each.owner !== owner && each.roles.includes('deliver'));
    this.#seen = new Map(
      others.map(({ owner: name, at }) => {
        const known = this.#seen.get(name);
        return [name, known?.at === at ? known : { at, seenAt: now }];
      }),
    );
    const live = [...this.#seen].filter(
      ([name, { seenAt }]) => now - seenAt < HEARTBEAT_TIMEOUT_MS && !isGone(name),
    );
    this.#owners = [owner, ...live.map(([name]) => name)].toSorted();
  }
}

/** The id at this fraction (0 to 1) of the range of all ids; null at 0 and 1. */
function boundOf(point: number): string | null {
  const place = Math.floor(point * DIGITS.length ** 2);
  const digits = [Math.floor(place / DIGITS.length), place % DIGITS.length].map((digit) => DIGITS[digit]);
  return point <= 0 || point >= 1 ? null : `wh_${digits.join('')}`;
}

/** Whether a webhook belongs to the range. */
export function isInRange({ from, below }: WebhookRange, webhookId: string): boolean {
  return (from === null || webhookId >= from) && (below === null || webhookId < below);
}
