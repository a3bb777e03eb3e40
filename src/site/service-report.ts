import { z } from 'zod';
import type { EpochMs } from '../core/base/time/duration.ts';
import { CHANNELS, type Channel } from '../core/chat/chat-message.ts';
import { type Heartbeat, isAlive } from '../core/operations/heartbeat.ts';
import { BLIND_CAUSES } from '../core/trades/coverage/blind-window.ts';
import type { SitePart } from './site.ts';

const bot = z.object({ state: z.string(), url: z.url({ protocol: /^https$/ }) });

const sources = z.object({
  leader: z.enum(['node', 'polling']),
  stream: z.object({ open: z.boolean() }),
  node: z
    .object({
      at_head: z.boolean(),
      head_age_seconds: z.number().nullish(),
      paused_until: z.iso.datetime().nullish(),
    })
    .optional(),
  failure: z.enum(BLIND_CAUSES).nullish(),
});

export type ReportedSources = z.infer<typeof sources>;

export interface ReportedBot {
  readonly platform: Channel;
  readonly url: string;
}

export interface ServiceReport {
  readonly bots: readonly ReportedBot[];
  /** Null where no process reads a live market. */
  readonly sources: ReportedSources | null;
}

/** Of the processes that are alive. What has another form than expected is left out: another version may have written it. */
export function serviceReportOf(heartbeats: readonly Heartbeat[], now: EpochMs): ServiceReport {
  const checks = heartbeats
    .filter((heartbeat) => isAlive(heartbeat, now))
    .map((heartbeat) => heartbeat.checks);
  const valid = checks.map((each) => sources.safeParse(each['trade_sources']).data);
  return {
    bots: CHANNELS.flatMap((platform) => {
      const found = checks.map((each) => bot.safeParse(partOf(each['bots'], platform)).data);
      const url = found.find((each) => each?.state === 'running')?.url;
      return url === undefined ? [] : [{ platform, url }];
    }),
    sources: valid.find((each) => each !== undefined) ?? null,
  };
}

/** The bots of the service that run, in whichever process. */
export async function runningBots({ deps, site }: SitePart): Promise<readonly ReportedBot[]> {
  return serviceReportOf(await site.heartbeats(), deps.clock.now()).bots;
}

function partOf(value: unknown, name: string): unknown {
  return z.record(z.string(), z.unknown()).safeParse(value).data?.[name];
}
