import { onTestFinished } from 'vitest';
import {
  type FollowOptions,
  followAlerts,
  type Gap,
  type StreamStatus,
} from '../../examples/stream-client.ts';
import { alertView } from '../../src/http/views/alert-view.ts';
import { alertOf } from '../support/alerts.ts';
import type { StandIn, StandInSocket } from '../support/stream-stand-in.ts';

const CONNECTED = { type: 'connected', message: 'Send ping.', tier: 'pro' };
export const alert = (id: number) => ({ type: 'alert', data: alertView(alertOf({ id })) });
export const FAKED = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const;

/** Follows a simulator until the test ends; waits between connections are noted and take no time. */
export function follow(standIn: StandIn, options: Partial<FollowOptions> = {}) {
  const stop = new AbortController();
  const waits: number[] = [];
  const got: (number | Gap)[] = [];
  const statuses: StreamStatus[] = [];
  const ended = followAlerts({
    url: standIn.url,
    apiKey: 'sk_live_test',
    onAlert: ({ id }) => void got.push(id),
    onGap: (gap) => void got.push(gap),
    onStatus: (status) => statuses.push(status),
    signal: stop.signal,
    wait: async (ms) => void waits.push(ms),
    ...options,
  });
  ended.catch(() => {});
  onTestFinished(() => stop.abort());
  return { stop, waits, got, statuses, ended };
}

/** Lets sockets do their work until something has happened, also while timers stand still. */
export async function until(happened: () => boolean): Promise<void> {
  while (!happened()) await new Promise((turn) => setImmediate(turn));
}

export async function connected(standIn: StandIn): Promise<StandInSocket> {
  const socket = await standIn.connection();
  socket.send(CONNECTED);
  return socket;
}
