import { describe, expect, test } from 'vitest';
import { dailyDigest } from '../../jobs/daily-digest.ts';
import { recordJob } from '../../jobs/record.ts';
import { resolutionSweep } from '../../jobs/resolution-sweep.ts';
import { resumeInterrupted } from '../../jobs/resume-interrupted.ts';
import { retention } from '../../jobs/retention.ts';
import { DAY_MS } from '../../src/core/base/time/duration.ts';
import type { NewChatMessage } from '../../src/core/chat/chat-message.ts';
import { MORNING as NOW } from './job-fixture.ts';
import { openOutbox, run } from './run-job.ts';

describe('the other jobs', () => {
  test('the daily digest of the day that is over goes to the outbox, once (issue: a daily digest at 00:05 UTC)', async () => {
    const { outbox, ids } = openOutbox();
    const digestMessages = async (day: string): Promise<NewChatMessage[]> =>
      (['telegram', 'discord'] as const).map((channel) => ({
        id: `digest:${channel}:${day}`,
        recipient: `channel:${channel}`,
        kind: 'daily_digest',
        facts: {
          day,
          alerts: 0,
          byType: {},
          topAlertIds: [],
          hotMarkets: [],
          results: { won: 0, lost: 0, profitUsdc: 0 },
          record: { resolved: 0, won: 0, averageEntry: null },
        },
        createdAt: NOW,
        dueAt: NOW,
      }));
    const job = dailyDigest(digestMessages, outbox);

    expect(job.schedule.words).toBe('daily at 00:05 UTC');
    expect(await run(job)).toBe('2 posts of 2026-11-20 put in the outbox');
    expect(await run(job)).toBe('0 posts of 2026-11-20 put in the outbox');
    expect(ids()).toEqual(['digest:telegram:2026-11-20', 'digest:discord:2026-11-20']);
    expect(await run(dailyDigest(async () => [], outbox))).toMatch(/^0 posts/);
  });

  test('the resolution sweep says how many results it found', async () => {
    expect(await run(resolutionSweep(async () => 1))).toBe('1 result found');
  });

  test('the record is made each hour, and the run says of how many alerts', async () => {
    const made = { text: '{}', alerts: 2, events: 1, measured: 1 };
    expect(recordJob(async () => made).schedule.words).toBe('every 60 minutes');
    expect(await run(recordJob(async () => made))).toBe('2 alerts in 1 event, 1 market measured');
    expect(await run(recordJob(async () => null))).toBe('nothing to measure yet');
  });

  test('customers that a crash left half done are put in order soon', async () => {
    const job = resumeInterrupted({ resumeInterrupted: async () => 2 });

    expect(job.schedule.words).toBe('every 5 minutes');
    expect(await run(job)).toBe('2 customers put in order');
  });

  test('retention keeps pulses a day, runs 30 and counts 400 days, and has messages pruned', async () => {
    const asked: Record<string, unknown> = {};
    const note = (name: string) => async (before: unknown) => {
      asked[name] = typeof before === 'number' ? (NOW - before) / DAY_MS : before;
      return 2;
    };
    const job = retention({
      jobRuns: { prune: note('runs') },
      heartbeats: { prune: async (before) => void (await note('pulses')(before)) },
      usage: { prune: note('usage') },
      idempotency: { prune: note('repeats') },
      customers: { pruneCodes: async () => 1 },
      questions: { prune: note('questions') },
      pruneMessages: async () => 2,
      purgeDeleted: async () => {
        asked['purged'] = true;
      },
    });

    expect(await run(job)).toBe(
      'removed: 2 job runs, 2 messages, 1 link code, 2 open questions, 2 usage counts, 2 idempotency keys',
    );
    expect(asked).toEqual({
      ...{ runs: 30, pulses: 1, questions: 0, repeats: 1 },
      ...{ usage: '2025-10-17', purged: true },
    });
  });
});
