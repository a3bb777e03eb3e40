import { DAY_MS } from '../duration.ts';
import type { Tier } from '../tier.ts';
import type { EpochMs } from '../trade.ts';
import type { ApiKey, KeyLimits } from './api-key.ts';
import type { KeyStore } from './key-store.ts';
import { type MintDeps, mintKey } from './mint-key.ts';

/** Days a pro key lasts before it counts as free, unless said otherwise (contract, States). */
export const TRIAL_DAYS = 30;

/** Bounds of what a key is given. */
export const KEY_LIMITS = { nameLength: 100, trialDays: 3_650 } as const;

/** What a key is issued for. `days` is the length of a pro trial, a whole number from 1. */
export interface IssueRequest {
  readonly tier: Tier;
  readonly name: string;
  readonly days?: number;
  /** Whose it is; nobody's in chat when absent. No cap holds. */
  readonly customerId?: string | null;
  /** What was agreed instead of the tier's limits. */
  readonly limits?: KeyLimits | null;
}

/** `secret` is the whole key: this is the only moment it exists outside of the caller's hands. */
export type IssueResult =
  | { readonly ok: true; readonly key: ApiKey; readonly secret: string }
  | { readonly ok: false; readonly reason: 'bad_name' | 'bad_days' | 'days_without_trial' };

/** The key as it is afterwards. */
export type ChangeResult =
  | { readonly ok: true; readonly key: ApiKey }
  | { readonly ok: false; readonly reason: 'unknown_key' | 'revoked_key' };

/** Issues and changes keys. Other processes see a change within 5 s. */
export interface KeyService {
  issue(request: IssueRequest): Promise<IssueResult>;
  /** Oldest first, revoked ones included. */
  list(): Promise<readonly ApiKey[]>;
  /** Revoking again changes nothing and is no refusal. */
  revoke(id: string): Promise<ChangeResult>;
  /** To `pro` begins a trial of 30 days; other tiers have no end. */
  setTier(id: string, tier: Tier): Promise<ChangeResult>;
}

/** What the service stands on. */
export interface KeyServiceDeps extends MintDeps {
  readonly keys: Pick<KeyStore, 'insert' | 'byId' | 'list' | 'revoke' | 'setTier'>;
}

const INSERTS = 5;

/** Throws when lookup parts collide again and again, which only a broken random source brings about. */
export function createKeyService(deps: KeyServiceDeps): KeyService {
  const { keys, clock } = deps;

  async function change(id: string, write: () => Promise<boolean>): Promise<ChangeResult> {
    const isWritten = await write();
    const key = isWritten ? await keys.byId(id) : null;
    return key === null ? { ok: false, reason: 'unknown_key' } : { ok: true, key };
  }

  return {
    async issue(request) {
      const reason = refusal(request);
      if (reason !== null) return { ok: false, reason };
      for (let attempt = 0; attempt < INSERTS; attempt += 1) {
        const { tier, days, customerId = null, limits = null } = request;
        const trialEndsAt = trialEnd(tier, clock.now(), days);
        const name = request.name.trim();
        const { key, secret } = await mintKey(deps, { name, tier, trialEndsAt, customerId, limits });
        if (await keys.insert(key)) return { ok: true, key, secret };
      }
      throw new Error(`the lookup part of a new key was taken ${INSERTS} times in a row`);
    },
    list: () => keys.list(),
    revoke: (id) => change(id, () => keys.revoke(id, clock.now())),
    async setTier(id, tier) {
      const key = await keys.byId(id);
      if (key !== null && key.revokedAt !== null) return { ok: false, reason: 'revoked_key' };
      return change(id, () => keys.setTier(id, tier, trialEnd(tier, clock.now())));
    },
  };
}

function trialEnd(tier: Tier, now: EpochMs, days = TRIAL_DAYS): EpochMs | null {
  return tier === 'pro' ? now + days * DAY_MS : null;
}

function refusal({ tier, name, days }: IssueRequest) {
  if (keyName(name) === null) return 'bad_name';
  if (days === undefined) return null;
  if (tier !== 'pro') return 'days_without_trial';
  return Number.isInteger(days) && days >= 1 && days <= KEY_LIMITS.trialDays ? null : 'bad_days';
}

/** The name as a key may have it, of 1 to 100 characters; null for a text that is no name. */
export function keyName(text: string): string | null {
  const name = text.trim();
  // Names are shown in terminals and chats: nothing in them may steer how the rest is shown.
  const isSteering = /[\p{Cc}\p{Bidi_Control}]/u.test(name);
  return name.length === 0 || name.length > KEY_LIMITS.nameLength || isSteering ? null : name;
}
