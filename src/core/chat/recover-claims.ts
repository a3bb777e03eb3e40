import type { Clock } from '../clock.ts';
import { MINUTE_MS, SECOND_MS } from '../duration.ts';
import type { Logger } from '../logger.ts';
import { CANNOT_EDIT } from './channel-send-step.ts';
import { isChannel } from './chat-queue.ts';
import type { ChatChange, ChatClaim, ChatStore } from './chat-store.ts';
import { ownerOf } from './send-claimed.ts';

const EVERY_MS = 10 * SECOND_MS;
const CLAIMS_LOOKED_AT = 500;
/** No send takes so long: whoever made the claim is not sending any more. */
const CLAIM_ENDS_AFTER_MS = 2 * MINUTE_MS;

/** What recovering stands on. */
export interface RecoverClaimsDeps {
  readonly store: Pick<ChatStore, 'claims' | 'finish'>;
  /** Names this process; unique among all that ever ran. */
  readonly owner: string;
  /** Whether an owner is known to live no more. */
  readonly isGone: (owner: string) => boolean;
  readonly inFlight: ReadonlySet<string>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Ends the claims of processes that died, until the signal aborts: what was for a person is due again, what was for a
 * channel may stand there and is not sent again.
 */
export async function recoverClaims(deps: RecoverClaimsDeps, signal: AbortSignal): Promise<void> {
  const { store, clock, logger } = deps;
  let isFailing = false;
  while (!signal.aborted) {
    try {
      for (const claim of await store.claims(CLAIMS_LOOKED_AT))
        if (isLost(deps, claim)) await end(deps, claim);
      isFailing = false;
    } catch (error) {
      if (!isFailing) logger.warn({ err: error }, 'messages of processes that died cannot be looked for');
      isFailing = true;
    }
    await clock.sleep(EVERY_MS, signal);
  }
}

async function end(
  { store, clock, logger, owner: self }: RecoverClaimsDeps,
  claim: ChatClaim,
): Promise<void> {
  const { owner, message } = claim;
  // Our own that is not in flight: the claim was made and its answer lost, so nothing was sent.
  const change = ownerOf(owner) === self ? dueAgain(claim, clock.now()) : afterDeath(claim, clock.now());
  if (await store.finish(message.id, owner, change))
    logger.warn({ message: message.id, owner, state: change.state }, 'a message was left being sent');
}

function isLost({ owner, isGone, inFlight, clock }: RecoverClaimsDeps, claim: ChatClaim): boolean {
  const process = ownerOf(claim.owner);
  if (process === owner) return !inFlight.has(claim.message.id);
  return clock.now() - claim.claimedAt > CLAIM_ENDS_AFTER_MS || isGone(process);
}

function afterDeath(claim: ChatClaim, now: number): ChatChange {
  const { recipient, kind, error } = claim.message;
  const isEdit = (kind === 'alert_update' || kind === 'alert_result') && error !== CANNOT_EDIT;
  if (isChannel(recipient) && !isEdit) return { state: 'failed', error: 'unknown', at: now };
  return dueAgain(claim, now);
}

function dueAgain({ message }: ChatClaim, now: number): ChatChange {
  return { state: 'pending', dueAt: now, error: message.error ?? 'unknown' };
}
