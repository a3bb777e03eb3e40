import { onTestFinished } from 'vitest';
import {
  UpstreamSocket,
  type UpstreamSocketOptions,
} from '../../../../../src/infra/market/polymarket/streams/upstream-socket.ts';
import { createFakeClock } from '../../../../support/clock.ts';
import { createRecordingLogger } from '../../../../support/recording-logger.ts';
import { START } from '../../../../support/rows.ts';
import { createQueue, type startStandIn } from '../../../../support/stream-stand-in.ts';

/** Runs a socket; only frames that begin with `tick` count. `random` is 0, so that pauses are their least. */
export function runSocket(url: string, given: Partial<UpstreamSocketOptions> = {}) {
  const clock = createFakeClock(START);
  const logger = createRecordingLogger();
  const stop = new AbortController();
  const frames = createQueue<string>();
  const states: boolean[] = [];
  const socket = new UpstreamSocket({
    name: 'trades',
    url,
    clock,
    random: () => 0,
    logger,
    maxPayload: 1_000,
    pingMs: 5_000,
    silenceMs: 30_000,
    subscription: () => 'subscribe',
    onFrame(text) {
      frames.put(text);
      return text.startsWith('tick');
    },
    onState: (isOpen) => states.push(isOpen),
    ...given,
  });
  const ended = socket.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  return { clock, logger, stop, frames, states, socket, ended };
}

export async function runOn(
  standIn: Awaited<ReturnType<typeof startStandIn>>,
  given?: Partial<UpstreamSocketOptions>,
) {
  const run = runSocket(standIn.url, given);
  const server = await standIn.connection();
  await server.message();
  return { ...run, server };
}
