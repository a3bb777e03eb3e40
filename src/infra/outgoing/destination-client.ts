import type {
  DestinationAnswer,
  DestinationClient,
  DestinationRequest,
} from '../../core/follow/destination.ts';
import { retryAfterMs } from './answer-text.ts';
import { GuardedClient, type GuardedClientOptions } from './guarded-client.ts';
import { USER_AGENT } from './user-agent.ts';

/** Discord answers with the message that it made. */
const MAX_BODY_BYTES = 64 * 1_024;

/** Sends JSON to people's own addresses, with the guard of webhooks (`GuardedClient`). */
export class HttpDestinationClient implements DestinationClient {
  readonly #options: GuardedClientOptions;
  readonly #client: GuardedClient;

  constructor(options: GuardedClientOptions) {
    this.#options = options;
    this.#client = new GuardedClient({ maxBodyBytes: MAX_BODY_BYTES, ...options });
  }

  async send({ method, url, body }: DestinationRequest): Promise<DestinationAnswer> {
    const headers = { 'content-type': 'application/json', 'user-agent': USER_AGENT };
    const outcome = await this.#client.send({ method, url, headers, body: Buffer.from(body) });
    if ('error' in outcome) return outcome;
    const { status, headers: answered, text } = outcome;
    return {
      status,
      retryAfterMs: retryAfterMs(answered['retry-after'], this.#options.clock.now()),
      text: await text(),
    };
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}
