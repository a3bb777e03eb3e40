import { REST } from 'discord.js';

const TIMEOUT_MS = 10_000;
const HANDLER_SWEEP_MS = 600_000;
/** Longer than that nobody waits for a turn: the caller is told when to come back. */
const LONGEST_WAIT_MS = 1_000;

export interface DiscordRestOptions {
  readonly token: string;
  readonly apiRoot: string;
  readonly timeoutMs?: number;
}

/** Keeps its token: that of discord.js forgets one that was refused once, and fails from then on. */
class SteadyRest extends REST {
  override setToken(token: string | null): this {
    return token === null ? this : super.setToken(token);
  }
}

/**
 * What the bot asks of Discord by itself: posts, memberships, invitations, commands. One try each, as its callers know
 * what may be repeated; a rate limit that takes longer than a second is an error that says how long.
 */
export function createDiscordRest({ token, apiRoot, timeoutMs = TIMEOUT_MS }: DiscordRestOptions): REST {
  return new SteadyRest({
    api: apiRoot,
    retries: 0,
    timeout: timeoutMs,
    handlerSweepInterval: HANDLER_SWEEP_MS,
    rejectOnRateLimit: ({ retryAfter }) => retryAfter > LONGEST_WAIT_MS,
  }).setToken(token);
}
