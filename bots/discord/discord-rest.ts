import { createRequire } from 'node:module';
import { REST, type RESTOptions } from 'discord.js';

const TIMEOUT_MS = 10_000;
const HANDLER_SWEEP_MS = 600_000;
/** Above this wait for a rate limit the call fails with the wait in its error. */
const LONGEST_WAIT_MS = 1_000;

/** Keeps its token: discord.js drops a token that was refused once, and fails from then on. */
class SteadyRest extends REST {
  override setToken(token: string | null): this {
    return token === null ? this : super.setToken(token);
  }
}

/** For calls outside of interactions: one attempt, and a rate limit above a second is an error. */
export function createDiscordRest(options: {
  readonly token: string;
  readonly apiRoot: string;
  /** Address of an HTTP proxy for the calls; null: none. */
  readonly proxy?: string | null;
  readonly timeoutMs?: number;
}): REST {
  return new SteadyRest({
    api: options.apiRoot,
    retries: 0,
    timeout: options.timeoutMs ?? TIMEOUT_MS,
    agent: proxyAgent(options.proxy ?? null),
    handlerSweepInterval: HANDLER_SWEEP_MS,
    rejectOnRateLimit: ({ retryAfter }) => retryAfter > LONGEST_WAIT_MS,
  }).setToken(options.token);
}

/** Of the undici that discord.js brings: a dispatcher of another version does not fit. */
function proxyAgent(proxy: string | null): RESTOptions['agent'] {
  if (proxy === null) return null;
  const { ProxyAgent } = createRequire(createRequire(import.meta.url).resolve('discord.js'))('undici');
  return new ProxyAgent(proxy);
}

export function closeDiscordRest(rest: REST): void {
  rest.clearHandlerSweeper();
  rest.clearHashSweeper();
}
