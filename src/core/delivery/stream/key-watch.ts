import { type ApiKey, effectiveTier } from '../../accounts/keys/api-key.ts';
import { TIER_POLICIES } from '../../accounts/tier.ts';
import { FailureLog } from '../../base/async/failure-log.ts';
import { withTimeout } from '../../base/async/with-timeout.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import type { StreamClient, StreamHubOptions } from './stream-client.ts';

const READ_EVERY_MS = 2_000;
/** The next read starts only when the last one has ended. */
const TIMEOUT_MS = 3_000;

type KeyLoss = 'keyEnded' | 'tierLacksStream';

interface Watched {
  key: ApiKey;
  /** Each with the number of reads started when it was added: an earlier read does not know a secret that is newer. */
  readonly clients: Map<StreamClient, number>;
}

/**
 * The keys of open sockets. Revocations and changes of the tier reach every socket within 5 s. While the store does
 * not answer, trials and former secrets still end by the clock, and all other sockets stay.
 */
export class KeyWatch {
  readonly #options: StreamHubOptions;
  readonly #onLoss: (client: StreamClient, loss: KeyLoss) => void;
  readonly #watched = new Map<string, Watched>();
  readonly #failures: FailureLog;
  #reads = 0;
  #readAt: EpochMs = 0;
  #isReading = false;
  /** Whether a client was added since the last read began: the row of its key may be 4 s old. */
  #hasNew = false;

  constructor(options: StreamHubOptions, onLoss: (client: StreamClient, loss: KeyLoss) => void) {
    this.#options = options;
    this.#onLoss = onLoss;
    this.#failures = new FailureLog(options.logger, 'key store unavailable; open sockets stay');
  }

  add(key: ApiKey, client: StreamClient): void {
    const entry = this.#watched.get(key.id) ?? { key, clients: new Map<StreamClient, number>() };
    this.#watched.set(key.id, entry);
    entry.clients.set(client, this.#reads);
    this.#hasNew = true;
  }

  remove(keyId: string, client: StreamClient): void {
    const entry = this.#watched.get(keyId);
    entry?.clients.delete(client);
    if (entry?.clients.size === 0) this.#watched.delete(keyId);
  }

  /**
   * Ends the sockets of keys that the clock has ended, and reads the keys every 2 s, and after a new socket. Called twice a
   * second.
   */
  check(): void {
    if (this.#watched.size === 0) return;
    const isDue = this.#hasNew || Math.abs(this.#options.clock.now() - this.#readAt) >= READ_EVERY_MS;
    if (isDue && !this.#isReading) void this.#refresh();
    for (const entry of this.#watched.values()) this.#judge(entry, 0);
  }

  async #refresh(): Promise<void> {
    const { keys, clock } = this.#options;
    this.#isReading = true;
    this.#hasNew = false;
    this.#readAt = clock.now();
    this.#reads += 1;
    const read = this.#reads;
    const asked = [...this.#watched];
    const rows = await this.#failures.guard(() =>
      withTimeout({ clock, timeoutMs: TIMEOUT_MS }, keys.byIds(asked.map(([id]) => id))),
    );
    this.#isReading = false;
    if (rows === null) return;
    const keyOf = new Map(rows.map((key) => [key.id, key]));
    for (const [id, entry] of asked) {
      const key = keyOf.get(id);
      if (key === undefined) this.#lose(entry, 'keyEnded');
      else {
        entry.key = key;
        this.#judge(entry, read);
      }
    }
  }

  /** `read`: the number of the read that the row is from; 0 if nothing was read. */
  #judge(entry: Watched, read: number): void {
    const { key, clients } = entry;
    const now = this.#options.clock.now();
    const loss = lossOf(key, now);
    if (loss !== null) this.#lose(entry, loss);
    for (const [client, since] of loss === null ? clients : []) {
      const isOver = isSecretOver(key, client.lookup, now) ?? since < read;
      if (isOver) this.#onLoss(client, 'keyEnded');
    }
  }

  #lose({ clients }: Watched, loss: KeyLoss): void {
    for (const client of clients.keys()) this.#onLoss(client, loss);
  }
}

function lossOf(key: ApiKey, now: EpochMs): KeyLoss | null {
  if (key.revokedAt !== null) return 'keyEnded';
  return TIER_POLICIES[effectiveTier(key, now)].hasStream ? null : 'tierLacksStream';
}

/** Whether a secret of the key has ended; null if the key, as last read, has no secret with this lookup part. */
function isSecretOver({ lookup, previous }: ApiKey, presented: string, now: EpochMs): boolean | null {
  if (presented === lookup) return false;
  return previous?.lookup === presented ? now >= previous.endsAt : null;
}
