import { FailureLog } from '../async/failure-log.ts';
import { withTimeout } from '../async/with-timeout.ts';
import type { Clock } from '../clock.ts';
import { type ApiKey, effectiveTier } from '../keys/api-key.ts';
import type { KeyStore } from '../keys/key-store.ts';
import type { Logger } from '../logger.ts';
import { TIER_POLICIES } from '../tier.ts';
import type { EpochMs } from '../trade.ts';

/** The next read starts only when the last one has ended. */
const TIMEOUT_MS = 3_000;

/** Why a key may not keep its sockets. */
export type KeyLoss = 'keyEnded' | 'tierLacksStream';

interface KeyWatchOptions<Client> {
  readonly keys: Pick<KeyStore, 'byIds'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly onLoss: (client: Client, loss: KeyLoss) => void;
}

interface Watched<Client> {
  key: ApiKey;
  /** Each with the number of reads started when it was added: an earlier read does not know a secret that is newer. */
  readonly clients: Map<Client, number>;
}

/**
 * The keys of open sockets. Revocations and changes of the tier reach every socket within 5 s. While the store does
 * not answer, trials and former secrets still end by the clock, and all other sockets stay.
 */
export class KeyWatch<Client extends { readonly lookup: string }> {
  readonly #options: KeyWatchOptions<Client>;
  readonly #watched = new Map<string, Watched<Client>>();
  readonly #failures: FailureLog;
  #reads = 0;
  #isReading = false;

  constructor(options: KeyWatchOptions<Client>) {
    this.#options = options;
    this.#failures = new FailureLog(options.logger, 'key store unavailable; open sockets stay');
  }

  /** `key`: as it was at the handshake. */
  add(key: ApiKey, client: Client): void {
    const entry = this.#watched.get(key.id) ?? { key, clients: new Map<Client, number>() };
    this.#watched.set(key.id, entry);
    entry.clients.set(client, this.#reads);
  }

  remove(keyId: string, client: Client): void {
    const entry = this.#watched.get(keyId);
    entry?.clients.delete(client);
    if (entry?.clients.size === 0) this.#watched.delete(keyId);
  }

  /** Reads all keys from the store, and ends the sockets of keys that the clock has ended. Called twice a second. */
  check(): void {
    if (this.#watched.size === 0) return;
    if (!this.#isReading) void this.#refresh();
    for (const entry of this.#watched.values()) this.#judge(entry, null);
  }

  async #refresh(): Promise<void> {
    const { keys, clock } = this.#options;
    this.#isReading = true;
    this.#reads += 1;
    const read = this.#reads;
    const asked = [...this.#watched];
    const ids = asked.map(([id]) => id);
    const rows = await this.#failures.guard(() =>
      withTimeout({ clock, timeoutMs: TIMEOUT_MS }, keys.byIds(ids)),
    );
    const found = new Map(rows?.map((key) => [key.id, key]));
    for (const [id, entry] of rows === null ? [] : asked) {
      const key = found.get(id);
      if (key === undefined) this.#lose(entry, 'keyEnded');
      else {
        entry.key = key;
        this.#judge(entry, read);
      }
    }
    this.#isReading = false;
  }

  /** `read`: the number of the read that the row is from; null if nothing was read. */
  #judge(entry: Watched<Client>, read: number | null): void {
    const { key, clients } = entry;
    const now = this.#options.clock.now();
    const loss = lossOf(key, now);
    if (loss !== null) this.#lose(entry, loss);
    for (const [client, since] of loss === null ? clients : []) {
      const isOver = isSecretOver(key, client.lookup, now) ?? (read !== null && since < read);
      if (isOver) this.#options.onLoss(client, 'keyEnded');
    }
  }

  #lose({ clients }: Watched<Client>, loss: KeyLoss): void {
    for (const client of clients.keys()) this.#options.onLoss(client, loss);
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
