import { FailureLog } from '../async/failure-log.ts';
import { repeat } from '../async/repeat.ts';
import type { Clock } from '../clock.ts';
import { MINUTE_MS, SECOND_MS } from '../duration.ts';
import type { Logger } from '../logger.ts';
import { CANNOT_EDIT } from './channel-send-step.ts';
import { isChannel } from './chat-queue.ts';
import type { ChatChange, ChatClaim, ChatStore } from './chat-store.ts';
import { ownerOf } from './message-sender.ts';

const INTERVAL_MS = 10 * SECOND_MS;
const PAGE = 500;
/** Longer than any send: the process that made such a claim sends no more. */
const CLAIM_TIMEOUT_MS = 2 * MINUTE_MS;

/** Dependencies of `recoverClaims`. */
export interface RecoverClaimsDeps {
  readonly store: Pick<ChatStore, 'claims' | 'finish'>;
  /** Unique process id. */
  readonly owner: string;
  /** Whether the process with this id is known to have ended. */
  readonly isGone: (owner: string) => boolean;
  /** Ids of the messages that this process sends now. */
  readonly inFlight: ReadonlySet<string>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Ends the claims of processes that died, until the signal aborts: messages to people are due again; posts in channels,
 * which may have been sent, are not sent again.
 */
export async function recoverClaims(deps: RecoverClaimsDeps, signal: AbortSignal): Promise<void> {
  const { store, clock, logger } = deps;
  const failures = new FailureLog(logger, 'claims of chat messages unavailable; retrying in 10 s');
  const recover = async () => {
    for (const claim of await store.claims(PAGE)) if (isLost(deps, claim)) await end(deps, claim);
  };
  await repeat(recover, { clock, signal, intervalMs: INTERVAL_MS, failures });
}

async function end({ store, clock, logger, owner }: RecoverClaimsDeps, claim: ChatClaim): Promise<void> {
  const { id } = claim.message;
  // A claim of this process that is not in flight: its answer was lost, and nothing was sent.
  const change =
    ownerOf(claim.owner) === owner ? dueAgain(claim, clock.now()) : afterDeath(claim, clock.now());
  if (await store.finish(id, claim.owner, change))
    logger.warn(
      { message: id, owner: claim.owner, state: change.state },
      'lost claim of a chat message ended',
    );
}

function isLost({ owner, isGone, inFlight, clock }: RecoverClaimsDeps, claim: ChatClaim): boolean {
  const process = ownerOf(claim.owner);
  if (process === owner) return !inFlight.has(claim.message.id);
  return clock.now() - claim.claimedAt > CLAIM_TIMEOUT_MS || isGone(process);
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
