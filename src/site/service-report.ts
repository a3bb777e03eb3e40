import { z } from 'zod';
import { CHANNELS, type Channel } from '../core/chat/chat-message.ts';
import { liveChecks, type WorkerReport } from '../core/operations/worker-report.ts';
import type { SitePart } from './site.ts';

const bot = z.object({ state: z.string(), url: z.url({ protocol: /^https$/ }) });
const parts = z.record(z.string(), z.unknown());

export interface ReportedBot {
  readonly platform: Channel;
  readonly url: string;
}

/** The bots that run. What has another form than expected is left out: another version may have written it. */
export function botsOf(checks: WorkerReport['checks']): readonly ReportedBot[] {
  return CHANNELS.flatMap((platform) => {
    const found = bot.safeParse(partOf(checks['bots'], platform)).data;
    return found?.state === 'running' ? [{ platform, url: found.url }] : [];
  });
}

/** The bots of the service that run, in whichever process. */
export async function runningBots({ deps, site }: SitePart): Promise<readonly ReportedBot[]> {
  return botsOf(liveChecks(await site.worker(), deps.clock.now()));
}

function partOf(value: unknown, name: string): unknown {
  return parts.safeParse(value).data?.[name];
}
