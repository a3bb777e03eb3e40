import type { Clock } from '../clock.ts';
import { type ApiKey, effectiveTier } from '../keys/api-key.ts';
import type { KeyStore } from '../ports/key-store.ts';
import type { Logger } from '../ports/logger.ts';
import { TIER_POLICIES } from '../tier.ts';
import { within } from '../within.ts';

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
  readonly clients: Set<Client>;
}

/**
 * A watch over no keys. While there are some, the store is asked for all of them at once, each 500 ms; while it does
 * not answer, the clock still ends trials, and everybody else stays.
 */
export function createKeyWatch<Client>(deps: KeyWatchDeps<Client>): KeyWatch<Client> {
  const { keys, clock, logger, signal, onLoss } = deps;
  const watched = new Map<string, Watched<Client>>();
  let isRunning = false;
  let isReading = false;
  let isAway = false;

  function judge({ key, clients }: Watched<Client>): void {
    const tier = effectiveTier(key, clock.now());
    const loss =
      key.revokedAt !== null ? 'keyEnded' : TIER_POLICIES[tier].hasStream ? null : 'tierLacksStream';
    if (loss !== null) for (const client of clients) onLoss(client, loss);
  }

  async function refresh(): Promise<void> {
    isReading = true;
    const asked = [...watched];
    try {
      const rows = await within({ clock, timeoutMs: TIMEOUT_MS }, keys.byIds(asked.map(([id]) => id)));
      const found = new Map(rows.map((key) => [key.id, key]));
      isAway = false;
      for (const [id, entry] of asked) {
        const key = found.get(id);
        if (key === undefined) for (const client of entry.clients) onLoss(client, 'keyEnded');
        else {
          entry.key = key;
          judge(entry);
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
      for (const entry of watched.values()) judge(entry);
    }
    isRunning = false;
  }

  return {
    add(key, client) {
      const entry = watched.get(key.id) ?? { key, clients: new Set() };
      watched.set(key.id, entry);
      entry.clients.add(client);
      if (!isRunning) void run();
    },
    remove(keyId, client) {
      const entry = watched.get(keyId);
      entry?.clients.delete(client);
      if (entry?.clients.size === 0) watched.delete(keyId);
    },
  };
}
