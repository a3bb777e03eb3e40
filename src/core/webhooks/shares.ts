import { HEARTBEAT_INTERVAL_MS } from '../operations/heartbeat.ts';
import type { EpochMs } from '../trade.ts';
import type { DeliveryEngineOptions } from './delivery-engine-options.ts';

const LIVE_MS = 3 * HEARTBEAT_INTERVAL_MS;

type ShareOptions = Pick<DeliveryEngineOptions, 'heartbeats' | 'owner' | 'isGone' | 'clock'>;

/**
 * Divides the webhooks among the processes that deliver. Processes that see different others for a while try the same
 * delivery, of which one gets it, or none does: then it becomes a stray.
 */
export class Shares {
  readonly #options: ShareOptions;
  /** The last heartbeat of each process, and when this process first saw it, as clocks of hosts may differ. */
  #seen = new Map<string, { readonly at: EpochMs; readonly seenAt: EpochMs }>();
  #owners: readonly string[];

  /** This process has all webhooks before the first `refresh`. */
  constructor(options: ShareOptions) {
    this.#options = options;
    this.#owners = [options.owner];
  }

  /** Whether this process takes the deliveries of the webhook. */
  isOwn(webhookId: string): boolean {
    const { length } = this.#owners;
    return length === 1 || this.#owners[hashOf(webhookId) % length] === this.#options.owner;
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
    const live = [...this.#seen].filter(([name, { seenAt }]) => now - seenAt < LIVE_MS && !isGone(name));
    this.#owners = [owner, ...live.map(([name]) => name)].toSorted();
  }
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01_00_01_93);
  return hash >>> 0;
}
