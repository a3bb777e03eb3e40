import { z } from 'zod';
import { CHANNELS, type Channel } from '../core/chat/chat-message.ts';
import { liveChecks, type WorkerReport } from '../core/operations/worker-report.ts';
import type { SitePart } from './site.ts';

const bot = z.object({ state: z.string(), url: z.url({ protocol: /^https$/ }) });
const parts = z.record(z.string(), z.unknown());

interface ReportedBot {
  readonly platform: Channel;
  readonly url: string;
}

/** The bot of a demo, in a terminal of the computer on which it runs. */
interface TerminalBot {
  readonly platform: 'terminal';
  readonly command: string;
}

export type RunningBot = ReportedBot | TerminalBot;

/** The bots that run. What has another form than expected is left out: another version may have written it. */
export function botsOf(checks: WorkerReport['checks']): readonly ReportedBot[] {
  return CHANNELS.flatMap((platform) => {
    const found = bot.safeParse(partOf(checks['bots'], platform)).data;
    return found?.state === 'running' ? [{ platform, url: found.url }] : [];
  });
}

/** The bots of the service that run, in whichever process; without one, that of a demo. */
export async function runningBots({ deps, site }: SitePart): Promise<readonly RunningBot[]> {
  const bots = botsOf(liveChecks(await site.worker(), deps.clock.now()));
  const command = bots.length === 0 ? site.terminalBot : null;
  return command === null ? bots : [{ platform: 'terminal', command }];
}

function partOf(value: unknown, name: string): unknown {
  return parts.safeParse(value).data?.[name];
}
