import { dailyDigest } from '../../jobs/daily-digest.ts';
import { createJobRunner, type JobRunner } from '../../jobs/job-runner.ts';
import { resolutionSweep } from '../../jobs/resolution-sweep.ts';
import { retention } from '../../jobs/retention.ts';
import { trialEnds } from '../../jobs/trial-ends.ts';
import { trialReminders } from '../../jobs/trial-reminders.ts';
import { createChannelPosts } from '../core/chat/channel-posts.ts';
import { CHANNELS, type Channel } from '../core/chat/chat-message.ts';
import { digestMessages, makeDailyDigest } from '../core/chat/daily-digest.ts';
import type { ChatStore } from '../core/ports/chat-store.ts';
import { openAgendaBackend } from '../infra/agenda-backend.ts';
import { isOwnerGone } from '../infra/process-owner.ts';
import type { House } from './house.ts';

const PRUNED_AT_ONCE = 500;

/** The clock work. */
export async function wireJobs(house: House): Promise<JobRunner> {
  const { config, clock, database, switchboard } = house;
  const channels = channelsOf(house);
  return createJobRunner({
    ...house,
    jobRuns: database.jobRuns,
    backend: await openAgendaBackend(config.databaseUrl),
    isPaused: switchboard.isPaused,
    isGone: isOwnerGone,
    jobs: [
      trialReminders({ ...house, outbox: database.chat }),
      trialEnds({ ...house, outbox: database.chat }),
      dailyDigest({
        outbox: database.chat,
        digestMessages: async (day) =>
          digestMessages(await makeDailyDigest(database, Date.parse(day)), channels, clock.now()),
      }),
      // The one that posts may be in another process; what this one adds to the outbox is found by it.
      resolutionSweep({
        sweepResults: createChannelPosts({
          ...house,
          store: database.chat,
          resolutions: database.resolutions,
          rules: { ...config.chat.channel, channels },
          wake: () => {},
        }).sweepResults,
      }),
      retention({
        ...database,
        customers: house.customers,
        pruneMessages: (before) => pruneMessages(database.chat, before),
      }),
    ],
  });
}

/** In pieces, so that others get their turn in between. */
async function pruneMessages(chat: ChatStore, before: number): Promise<number> {
  const page = { endedBefore: before, postsBefore: before, limit: PRUNED_AT_ONCE };
  let removed = 0;
  for (let last = PRUNED_AT_ONCE; last === PRUNED_AT_ONCE; removed += last) last = await chat.prune(page);
  return removed;
}

/** Those that somebody posts to. */
function channelsOf({ config: { chat } }: House): readonly Channel[] {
  const isOn = {
    telegram: chat.telegram.token !== null && chat.telegram.channelId !== null,
    discord: chat.discord.token !== null && chat.discord.channelId !== null,
  };
  return CHANNELS.filter((channel) => isOn[channel]);
}
