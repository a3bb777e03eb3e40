import { type ApiKey, effectiveTier } from '../../accounts/keys/api-key.ts';
import { TIER_POLICIES } from '../../accounts/tier.ts';
import { FailureLog } from '../../base/async/failure-log.ts';
import { withTimeout } from '../../base/async/with-timeout.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import type { StreamClient, StreamHubOptions } from './stream-client.ts';

/** The next read starts only when the last one has ended. */
const TIMEOUT_MS = 3_000;
/** Changes that were not counted because their process died are seen by then. */
const ALL_EVERY_MS = 3_000;

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
  /** Ids of keys with a client that was added after their last read. */
  readonly #unread = new Set<string>();
  #reads = 0;
  /** The number of changes before the last read of all keys. */
  #changes: number | null = null;
  #allReadAt: EpochMs = 0;
  #isReading = false;

  constructor(options: StreamHubOptions, onLoss: (client: StreamClient, loss: KeyLoss) => void) {
    this.#options = options;
    this.#onLoss = onLoss;
    this.#failures = new FailureLog(options.logger, 'key store unavailable; open sockets stay');
  }

  add(key: ApiKey, client: StreamClient): void {
    const entry = this.#watched.get(key.id) ?? { key, clients: new Map<StreamClient, number>() };
    this.#watched.set(key.id, entry);
    entry.clients.set(client, this.#reads);
    this.#unread.add(key.id);
  }

  remove(keyId: string, client: StreamClient): void {
    const entry = this.#watched.get(keyId);
    entry?.clients.delete(client);
    if (entry?.clients.size === 0) this.#watched.delete(keyId);
  }

  /**
   * Reads the keys of new sockets from the store, and those of all when a key was changed, and ends the sockets of keys that
   * the clock has ended. Called twice a second.
   */
  check(): void {
    if (this.#watched.size === 0) return;
    if (!this.#isReading) void this.#refresh();
    for (const entry of this.#watched.values()) this.#judge(entry, 0);
  }

  async #refresh(): Promise<void> {
    const { clock } = this.#options;
    this.#isReading = true;
    this.#reads += 1;
    const read = this.#reads;
    const found = await this.#failures.guard(() =>
      withTimeout({ clock, timeoutMs: TIMEOUT_MS }, (signal) => this.#read(signal)),
    );
    for (const [entry, key] of found ?? []) {
      if (key === undefined) this.#lose(entry, 'keyEnded');
      else {
        entry.key = key;
        this.#judge(entry, read);
      }
    }
    this.#isReading = false;
  }

  /** The entries whose keys are due to be read, each with its key; undefined where there is none. */
  async #read(signal: AbortSignal): Promise<ReadonlyMap<Watched, ApiKey | undefined>> {
    const { keys, clock } = this.#options;
    const changes = await keys.changes();
    const now = clock.now();
    const isAll = changes !== this.#changes || Math.abs(now - this.#allReadAt) >= ALL_EVERY_MS;
    const asked = [...this.#watched].filter(([id]) => isAll || this.#unread.has(id));
    const ids = asked.map(([id]) => id);
    this.#unread.clear();
    // After a fault all are read once 3 s have passed since the last time.
    const rows = ids.length === 0 ? [] : await keys.byIds(ids);
    signal.throwIfAborted();
    if (isAll) [this.#changes, this.#allReadAt] = [changes, now];
    const keyOf = new Map(rows.map((key) => [key.id, key]));
    return new Map(asked.map(([id, entry]) => [entry, keyOf.get(id)]));
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
