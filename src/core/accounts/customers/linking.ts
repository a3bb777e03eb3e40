import { FairQueue } from '../../base/async/fair-queue.ts';
import type { RandomText } from '../../base/random.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import type { Refused } from '../keys/api-key.ts';
import { FailureLimit } from '../keys/failure-limit.ts';
import { CUSTOMER_LIMITS, type Customer, type CustomerRecord, type CustomerServiceDeps } from './customer.ts';
import type { CustomerRecords } from './customer-records.ts';

/** Wrong codes of one customer within the lifetime of a code; counted for the last 10,000 customers. */
const GUESSES = { most: 5, windowMs: CUSTOMER_LIMITS.linkCodeMs, addresses: 10_000 } as const;
const UNKNOWN = { ok: false, reason: 'unknown_code' } as const;

/** `own_code`: this customer made the code. `too_many_keys`: together the two have more keys than one customer may have. */
export type LinkResult =
  | { readonly ok: true; readonly customer: Customer }
  | Refused<'unknown_code' | 'own_code' | 'banned' | 'too_many_keys'>
  | TooManyGuesses;

/** Codes from this customer are refused until then, even correct ones. */
interface TooManyGuesses extends Refused<'too_many_guesses'> {
  readonly until: EpochMs;
}

/** Link codes, which merge two customers. Codes are stored hashed; wrong guesses are counted in this process. */
export class Linking {
  readonly #deps: CustomerServiceDeps;
  readonly #records: CustomerRecords;
  readonly #guesses = new FailureLimit(GUESSES);
  readonly #queue = new FairQueue({ runningPerCaller: 1 });

  constructor(deps: CustomerServiceDeps, records: CustomerRecords) {
    this.#deps = deps;
    this.#records = records;
  }

  /** A code that links another handle, once, within 10 minutes. */
  async start(customerId: string): Promise<{ readonly code: string; readonly expiresAt: EpochMs }> {
    const { customers, random, clock, digest } = this.#deps;
    const code = linkCode(random);
    const expiresAt = clock.now() + CUSTOMER_LIMITS.linkCodeMs;
    const record = await this.#records.resolve(customerId);
    if (record !== null) await customers.putCode({ customerId: record.id, hash: digest(code), expiresAt });
    return { code, expiresAt };
  }

  /** Merges the two under the id of the older one, with the keys of both and the earlier trial. */
  link(customerId: string, text: string): Promise<LinkResult> {
    return this.#queue.run(() => this.#guess(customerId, text), { caller: customerId });
  }

  async #guess(customerId: string, text: string): Promise<LinkResult> {
    const { clock, digest } = this.#deps;
    const refused = this.#refusal(customerId);
    if (refused !== null) return refused;
    const typed = text.replaceAll(/[\s-]/g, '').slice(0, 2 * LINK_CODE_LENGTH);
    const result = await this.#join(customerId, digest(typed.toUpperCase()));
    if (result !== UNKNOWN) return result;
    this.#guesses.record(customerId, clock.now());
    return this.#refusal(customerId) ?? result;
  }

  #refusal(customerId: string): TooManyGuesses | null {
    const until = this.#guesses.spentUntil(customerId, this.#deps.clock.now());
    return until === null ? null : { ok: false, reason: 'too_many_guesses', until };
  }

  async #join(customerId: string, hash: string): Promise<LinkResult> {
    const { customers, clock } = this.#deps;
    const code = await customers.code(hash);
    if (code === null || code.expiresAt <= clock.now()) return UNKNOWN;
    for (let isTaken = false; ; ) {
      const giver = await this.#records.resolve(customerId);
      const maker = await this.#records.resolve(code.customerId);
      if (giver === null || maker === null) return UNKNOWN;
      // A concurrent merge may have joined the two.
      if (giver.id === maker.id)
        return isTaken
          ? { ok: true, customer: await this.#records.shownOne(giver) }
          : { ok: false, reason: 'own_code' };
      if (giver.bannedAt !== null || maker.bannedAt !== null) return { ok: false, reason: 'banned' };
      if (!isTaken && (await this.#haveTooManyKeys(giver, maker)))
        return { ok: false, reason: 'too_many_keys' };
      if (!isTaken && !(await customers.takeCode(hash))) return UNKNOWN;
      isTaken = true;
      await this.#records.merge(giver, maker);
    }
  }

  async #haveTooManyKeys(...both: readonly CustomerRecord[]): Promise<boolean> {
    const held = await Promise.all(both.map(({ id }) => this.#deps.keys.byCustomer(id)));
    return held.flat().length > CUSTOMER_LIMITS.activeKeys;
  }
}

/** Characters of a link code: 39 bits. */
const LINK_CODE_LENGTH = 8;

/** Without characters that look alike: I, L, O, U, 0 and 1. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';

function linkCode(random: RandomText): string {
  let code = '';
  while (code.length < LINK_CODE_LENGTH) {
    // The characters of the alphabet are equally frequent among the 64 of base64url.
    for (const character of random.base64url(LINK_CODE_LENGTH)) {
      if (code.length < LINK_CODE_LENGTH && ALPHABET.includes(character)) code += character;
    }
  }
  return code;
}
