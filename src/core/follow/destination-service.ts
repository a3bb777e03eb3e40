import { LRUCache } from 'lru-cache';
import type { CustomerService } from '../accounts/customers/customer-service.ts';
import type { Refused } from '../accounts/keys/api-key.ts';
import type { Clock } from '../base/time/clock.ts';
import { type EpochMs, HOUR_MS } from '../base/time/duration.ts';
import { SlidingWindow } from '../base/time/sliding-window.ts';
import { CHANNELS } from '../chat/chat-message.ts';
import type { ChatOutbox } from '../chat/chat-store.ts';
import type { DeliveryError } from '../delivery/webhooks/delivery.ts';
import type { IsPublicAddress } from '../delivery/webhooks/webhook-url.ts';
import {
  type DestinationAddress,
  type DestinationProblem,
  destinationOf,
  shownAddress,
} from './destination.ts';
import type { FollowPerson, FollowService } from './follow-service.ts';
import type { Destination } from './follower.ts';

/** Test messages of a person, counted in each process. */
export const TEST_LIMIT = { most: 3, windowMs: HOUR_MS } as const;
const REMEMBERED_PEOPLE = 10_000;

/** The result of a test message: the status of the answer, or why there was none. */
export type TestResult =
  | { readonly ok: true }
  | (Refused<'failed'> & { readonly status: number | null; readonly error: DeliveryError | null });

/** Why no test was sent. `free`: the person has no Pro or Enterprise key now. */
type TestRefusal = Refused<'free' | 'no_destination'> | (Refused<'limited'> & { readonly until: EpochMs });

/** The result of connecting an address. `erased`: the person's data has been deleted. */
export type ConnectResult =
  | { readonly ok: true; readonly destination: Destination }
  | (Refused<'bad_address'> & { readonly problem: DestinationProblem })
  | Exclude<TestResult, { ok: true }>
  | TestRefusal
  | Refused<'erased'>;

/** Dependencies of `DestinationService`. */
export interface DestinationServiceOptions {
  readonly follows: Pick<FollowService, 'of' | 'tierOf' | 'setDestination'>;
  readonly customers: Pick<CustomerService, 'byId'>;
  readonly outbox: ChatOutbox;
  /** Sends a test message. Never throws. */
  readonly sendTest: (address: DestinationAddress) => Promise<TestResult>;
  /** Null: any address may be a destination (for development). */
  readonly isPublic: IsPublicAddress | null;
  readonly clock: Pick<Clock, 'now'>;
}

/** A person's own address at Discord, Slack or ntfy: one, for Pro and Enterprise. Throws what the stores throw. */
export class DestinationService {
  readonly #options: DestinationServiceOptions;
  readonly #tests = new LRUCache<string, SlidingWindow>({
    max: REMEMBERED_PEOPLE,
    memoMethod: () => new SlidingWindow(TEST_LIMIT.most),
  });

  constructor(options: DestinationServiceOptions) {
    this.#options = options;
  }

  /** The address of a person, and whether they may have one now. */
  async state(
    person: FollowPerson,
  ): Promise<{ readonly destination: Destination | null; readonly isAllowed: boolean }> {
    const { follows } = this.#options;
    const { destination } = await follows.of(person);
    return { destination, isAllowed: (await follows.tierOf(person.customerId)) !== 'free' };
  }

  /** Stores an address that a test message arrived at, in place of the former one; the person's messages go there from now on. */
  async connect(person: FollowPerson, text: string): Promise<ConnectResult> {
    const { follows, isPublic, clock } = this.#options;
    const parsed = destinationOf(text, isPublic);
    if (!parsed.ok) return { ok: false, reason: 'bad_address', problem: parsed.problem };
    const tested = await this.#test(person, parsed.address);
    if (!tested.ok) return tested;
    const destination = { ...parsed.address, createdAt: clock.now() };
    const stored = await follows.setDestination(person, destination);
    return stored.ok ? { ok: true, destination } : { ok: false, reason: 'erased' };
  }

  /** Sends a test message to the stored address. */
  async test(person: FollowPerson): Promise<TestResult | TestRefusal> {
    const { destination } = await this.#options.follows.of(person);
    return destination === null ? { ok: false, reason: 'no_destination' } : this.#test(person, destination);
  }

  /** Forgets the address: the messages go to where the person writes. */
  async disconnect(person: FollowPerson): Promise<void> {
    await this.#options.follows.setDestination(person, null);
  }

  /** The person's current address; null if they no longer have one. It ends when they have no Pro or Enterprise key. */
  async current(customerId: string): Promise<Destination | null> {
    const { follows } = this.#options;
    const { destination } = await follows.of({ customerId, platform: 'terminal' });
    if (destination === null || (await follows.tierOf(customerId)) !== 'free') return destination;
    await this.end(customerId, destination, null);
    return null;
  }

  /** Forgets an address that refuses messages permanently, unless it was replaced, and tells the person once. `status`: null if the tier ended it. */
  async end(customerId: string, { kind, url, createdAt }: Destination, status: number | null): Promise<void> {
    const { follows, customers, outbox, clock } = this.#options;
    const { platform } = (await customers.byId(customerId)) ?? { platform: CHANNELS[0] };
    const current = await follows.of({ customerId, platform });
    if (current.destination?.createdAt !== createdAt) return;
    const now = clock.now();
    // The message is added first: after a crash in between it is added again under the same id, which has no effect.
    await outbox.add([
      {
        id: `destination_off:${createdAt}@${customerId}`,
        recipient: `customer:${customerId}`,
        kind: 'destination_off',
        facts: { service: kind, address: shownAddress({ url }), status },
        createdAt: now,
        dueAt: now,
      },
    ]);
    await follows.setDestination({ customerId, platform }, null);
  }

  async #test(person: FollowPerson, address: DestinationAddress): Promise<TestResult | TestRefusal> {
    const { follows, sendTest, clock } = this.#options;
    if ((await follows.tierOf(person.customerId)) === 'free') return { ok: false, reason: 'free' };
    const tests = this.#tests.memo(person.customerId);
    const freeAt = tests.freeAt(TEST_LIMIT);
    if (freeAt > clock.now()) return { ok: false, reason: 'limited', until: freeAt };
    tests.add(clock.now());
    return sendTest(address);
  }
}
