import { withTimeout } from '../async/with-timeout.ts';
import type { Clock } from '../clock.ts';
import { type ApiKey, effectiveTier } from '../keys/api-key.ts';
import type { KeyStore } from '../keys/key-store.ts';
import type { Logger } from '../logger.ts';
import { TIER_POLICIES } from '../tier.ts';
import type { EpochMs } from '../trade.ts';

const EVERY_MS = 500;
/** A read that takes longer has failed: no other would be begun before its end. */
const TIMEOUT_MS = 3_000;

/** Why a key may not hold its sockets any more. */
export type KeyLoss = 'keyEnded' | 'tierLacksStream';

/** Looks after the keys that have sockets (design: revocation and tier changes reach every open socket within 5 s). */
export interface KeyWatch<Client> {
  /** `key` as it was when the client was let in. */
  add(key: ApiKey, client: Client): void;
  remove(keyId: string, client: Client): void;
}

interface KeyWatchDeps<Client> {
  readonly keys: Pick<KeyStore, 'byIds'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  /** Ends every wait. */
  readonly signal: AbortSignal;
  readonly onLoss: (client: Client, loss: KeyLoss) => void;
}

interface Watched<Client> {
  key: ApiKey;
  /** Each with the number of reads that had begun when it came: a read that began before knows nothing of its secret. */
  readonly clients: Map<Client, number>;
}

/**
 * A watch over no keys. While there are some, the store is asked for all of them at once, each 500 ms; while it does
 * not answer, the clock still ends trials and former secrets, and everybody else stays.
 */
export function createKeyWatch<Client extends { readonly lookup: string }>(
  deps: KeyWatchDeps<Client>,
): KeyWatch<Client> {
  const { keys, clock, logger, signal, onLoss } = deps;
  const watched = new Map<string, Watched<Client>>();
  let reads = 0;
  let isRunning = false;
  let isReading = false;
  let isAway = false;

  /** `read`: the number of the read that the row is from; null when nothing was read. */
  function judge({ key, clients }: Watched<Client>, read: number | null): void {
    const now = clock.now();
    const loss = lossOf(key, now);
    for (const [client, since] of clients) {
      if (loss !== null) onLoss(client, loss);
      else if (isSecretOver(key, client.lookup, now) ?? (read !== null && since < read)) {
        onLoss(client, 'keyEnded');
      }
    }
  }

  async function refresh(): Promise<void> {
    isReading = true;
    reads += 1;
    const read = reads;
    const asked = [...watched];
    try {
      const rows = await withTimeout({ clock, timeoutMs: TIMEOUT_MS }, keys.byIds(asked.map(([id]) => id)));
      const found = new Map(rows.map((key) => [key.id, key]));
      isAway = false;
      for (const [id, entry] of asked) {
        const key = found.get(id);
        if (key === undefined) for (const client of entry.clients.keys()) onLoss(client, 'keyEnded');
        else {
          entry.key = key;
          judge(entry, read);
        }
      }
    } catch (error) {
      if (!isAway) logger.warn({ err: error }, 'keys of open sockets cannot be looked up; the sockets stay');
      isAway = true;
    }
    isReading = false;
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (watched.size > 0 && !signal.aborted) {
      await clock.sleep(EVERY_MS, signal);
      if (signal.aborted) break;
      if (!isReading) void refresh();
      for (const entry of watched.values()) judge(entry, null);
    }
    isRunning = false;
  }

  return {
    add(key, client) {
      const entry = watched.get(key.id) ?? { key, clients: new Map<Client, number>() };
      watched.set(key.id, entry);
      entry.clients.set(client, reads);
      if (!isRunning) void run();
    },
    remove(keyId, client) {
      const entry = watched.get(keyId);
      entry?.clients.delete(client);
      if (entry?.clients.size === 0) watched.delete(keyId);
    },
  };
}

function lossOf(key: ApiKey, now: EpochMs): KeyLoss | null {
  if (key.revokedAt !== null) return 'keyEnded';
  return TIER_POLICIES[effectiveTier(key, now)].hasStream ? null : 'tierLacksStream';
}

/** Whether a secret of the key works no more; null when the key, as it is known, has none with this lookup part. */
function isSecretOver({ lookup, previous }: ApiKey, presented: string, now: EpochMs): boolean | null {
  if (presented === lookup) return false;
  return previous?.lookup === presented ? now >= previous.endsAt : null;
}
