import { onTestFinished } from 'vitest';
import {
  type Alert,
  createTipoff,
  type FollowOptions,
  type StreamStatus,
  type WebSocketClass,
} from '../../clients/typescript/src/index.ts';
import { alertView } from '../../src/http/views/alert-view.ts';
import { alertOf } from '../support/alerts.ts';
import type { StandIn, StandInSocket } from '../support/stream-stand-in.ts';

const CONNECTED = { type: 'connected', message: 'Send ping.', tier: 'pro' };
export const alert = (id: number) => ({ type: 'alert', data: alertView(alertOf({ id })) });
export const FAKED = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const;

interface Following extends Omit<FollowOptions, 'signal' | 'onStatus' | 'outcomes' | 'exits'> {
  readonly onAlert?: (alert: Alert) => void | Promise<void>;
  readonly wait?: (ms: number) => Promise<void>;
  readonly webSocket?: WebSocketClass;
}

/** Follows a simulator until the test ends; waits between connections are noted and take no time. */
export function follow(standIn: StandIn, { onAlert, wait, webSocket, ...options }: Following = {}) {
  const stop = new AbortController();
  const waits: number[] = [];
  const got: number[] = [];
  const statuses: StreamStatus[] = [];
  const tipoff = createTipoff({
    url: standIn.url,
    apiKey: 'sk_live_test',
    wait: wait ?? (async (ms) => void waits.push(ms)),
    ...(webSocket !== undefined && { webSocket }),
  });
  const onStatus = (status: StreamStatus) => void statuses.push(status);
  const run = async () => {
    const take = onAlert ?? (({ id }: Alert) => void got.push(id));
    for await (const one of tipoff.follow({ ...options, onStatus, signal: stop.signal })) await take(one);
  };
  const ended = run();
  ended.catch(() => {});
  onTestFinished(() => stop.abort());
  return { stop, waits, got, statuses, ended };
}

/** Lets sockets do their work until something has happened, also while timers stand still. */
export async function until(happened: () => boolean): Promise<void> {
  while (!happened()) await new Promise((turn) => setImmediate(turn));
}

export async function connected(standIn: StandIn, tier = 'pro'): Promise<StandInSocket> {
  const socket = await standIn.connection();
  socket.send({ ...CONNECTED, tier });
  return socket;
}
