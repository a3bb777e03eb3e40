import { z } from 'zod';
import type { EpochMs } from '../core/base/time/duration.ts';
import { CHANNELS, type Channel } from '../core/chat/chat-message.ts';
import { type Heartbeat, isAlive } from '../core/operations/heartbeat.ts';
import type { SitePart } from './site.ts';

const bot = z.object({ state: z.string(), url: z.url({ protocol: /^https$/ }) });

export interface ReportedBot {
  readonly platform: Channel;
  readonly url: string;
}

/** The bots of the processes that are alive. What has another form than expected is left out: another version may have written it. */
export function botsOf(heartbeats: readonly Heartbeat[], now: EpochMs): readonly ReportedBot[] {
  const checks = heartbeats
    .filter((heartbeat) => isAlive(heartbeat, now))
    .map((heartbeat) => heartbeat.checks);
  return CHANNELS.flatMap((platform) => {
    const found = checks.map((each) => bot.safeParse(partOf(each['bots'], platform)).data);
    const url = found.find((each) => each?.state === 'running')?.url;
    return url === undefined ? [] : [{ platform, url }];
  });
}

/** The bots of the service that run, in whichever process. */
export async function runningBots({ deps, site }: SitePart): Promise<readonly ReportedBot[]> {
  return botsOf(await site.heartbeats(), deps.clock.now());
}

function partOf(value: unknown, name: string): unknown {
  return z.record(z.string(), z.unknown()).safeParse(value).data?.[name];
}
