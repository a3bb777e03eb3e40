import { ConnectMessenger } from '../../../bots/connect/connect-messenger.ts';
import { plainScreen } from '../../../bots/shared/screen.ts';
import type { DestinationAnswer, DestinationRequest } from '../../../src/core/follow/destination.ts';
import type { Destination } from '../../../src/core/follow/follower.ts';
import { createFakeClock } from '../../support/clock.ts';
import { START } from '../../support/rows.ts';
import { silentLogger } from '../../support/silent-logger.ts';

export const DISCORD: Destination = {
  kind: 'discord',
  url: 'https://discord.com/api/webhooks/12/secret-token?thread_id=5',
  createdAt: START,
};
export const SLACK: Destination = {
  kind: 'slack',
  url: 'https://hooks.slack.com/services/T0/B0/secret',
  createdAt: START,
};
export const NTFY: Destination = { kind: 'ntfy', url: 'https://ntfy.sh/secret-topic', createdAt: START };

export const message = (text: string) => plainScreen('personal_alert', [text], []);
export const GATHER_MS = 100;

/** A messenger over scripted answers: of the first requests, then of all later ones status 200. */
export function openConnect(destination: Destination | null, ...answers: readonly DestinationAnswer[]) {
  const clock = createFakeClock(START);
  const left = [...answers];
  const requests: DestinationRequest[] = [];
  const ended: { customerId: string; destination: Destination; status: number | null }[] = [];
  const logged: unknown[] = [];
  let current: () => Promise<Destination | null> = async () => destination;
  const messenger = new ConnectMessenger({
    client: {
      async send(request) {
        requests.push(request);
        return left.shift() ?? answered(200);
      },
    },
    destinations: {
      current: () => current(),
      async end(customerId, of, status) {
        ended.push({ customerId, destination: of, status });
      },
    },
    clock,
    logger: { ...silentLogger, warn: (...entry) => void logged.push(entry) },
  });
  return {
    clock,
    requests,
    ended,
    logged,
    messenger,
    become: (next: () => Promise<Destination | null>) => {
      current = next;
    },
    /** Queues the texts to a person, all at once. */
    send: (texts: readonly string[], chat = 'ann') =>
      texts.map((text) => messenger.send({ chat }, message(text), new AbortController().signal)),
    /** The result of one text that is sent alone. */
    async sendOne(text = 'hello', chat = 'ann') {
      const sent = messenger.send({ chat }, message(text), new AbortController().signal);
      await clock.advance(GATHER_MS);
      return sent;
    },
  };
}

export function answered(
  status: number,
  rest: { text?: string; retryAfterMs?: number } = {},
): DestinationAnswer {
  return { status, retryAfterMs: null, text: '', ...rest };
}
