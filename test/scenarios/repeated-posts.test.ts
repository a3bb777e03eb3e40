import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { newestOfThreads } from '../../src/core/alerts/ledger/thread.ts';
import { DAY_MS, MINUTE_MS } from '../../src/core/base/time/duration.ts';
import type { Candidate } from '../../src/core/detection/candidate.ts';
import { Detector } from '../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import { openReplay } from '../../src/infra/market/tapes/replay.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';
import { openPosts } from '../support/chat/open-posts.ts';
import { DELAYED } from '../support/chat/open-thread.ts';
import { START } from '../support/rows.ts';
import { silentLogger } from '../support/silent-logger.ts';

const TAPE = join(import.meta.dirname, '../../data/tapes/midterms-2022.jsonl.gz');

/** What the detector finds on the tape of the midterms. */
async function found(): Promise<readonly Candidate[]> {
  const deps = { clock: systemClock, logger: silentLogger, onDrop: () => {} };
  const source = await openReplay({ file: TAPE, speed: 0, shift: null, checkpoint: null }, deps);
  const detector = new Detector(DEFAULT_RULES, source);
  const all: Candidate[] = [];
  for await (const batch of source.batches(new AbortController().signal))
    for (const { row } of batch) all.push(...detector.judge(row).candidates);
  return all;
}

/** As the ledger numbers them, from START on, each with the first alert of its thread. */
function numbered(candidates: readonly Candidate[]): readonly (Alert & { readonly threadId: number })[] {
  const first = candidates[0]?.tradedAt ?? 0;
  const threads = new Map<string, number>();
  return candidates.map((candidate, index) => {
    const id = index + 1;
    const { type, wallet, marketId, outcome } = candidate;
    const thread = [type === 'cluster' ? 'cluster' : wallet, marketId, outcome].join(' ');
    const threadId = threads.get(thread) ?? id;
    threads.set(thread, threadId);
    const at = START + candidate.tradedAt - first;
    const clocks = { tradedAt: at, detectedAt: at, publishedAt: at, createdAt: at };
    return { ...candidate, ...clocks, id, threadId, supersedes: null, isHistory: false, resolution: null };
  });
}

/** The share of messages that come so soon after one of the same wallet and market. */
function repeats(messages: readonly Alert[], withinMs: number): number {
  const again = messages.filter(({ wallet, marketId, createdAt }, index) =>
    messages
      .slice(0, index)
      .some(
        (earlier) =>
          earlier.wallet === wallet &&
          earlier.marketId === marketId &&
          createdAt - earlier.createdAt <= withinMs,
      ),
  );
  return again.length / messages.length;
}

test('of the midterms’ alerts a channel gets one message a thread: at most 1 % repeat a wallet and market within 30 minutes, 5 % within a day', async () => {
  const alerts = numbered(await found());
  const { make, publish, send, pass, clock, calls } = await openPosts(DELAYED);
  await make().start(0);
  /** Sends what is due, and ends: an engine that waits for months would look a million times. */
  async function deliver(): Promise<void> {
    const engine = send({ closes: false });
    await pass(2_000);
    await engine.close();
  }
  const published = alerts.map((alert) => ({ at: alert.createdAt, act: () => publish(alert) }));
  const due = alerts.map(({ createdAt }) => ({ at: createdAt + DELAYED.delayMs, act: deliver }));

  for (const { at, act } of [...published, ...due].toSorted((a, b) => a.at - b.at)) {
    await clock.advance(Math.max(0, at - clock.now()));
    await act();
  }

  const shown = calls.map(({ how, where, view }, index) => {
    const place = how === 'send' ? `m${index + 1}` : where;
    return { how, place, id: Number(view?.split(':')[0]) };
  });
  const sent = new Set(shown.filter(({ how }) => how === 'send').map(({ id }) => id));
  const messages = alerts.filter(({ id }) => sent.has(id));
  const threads = new Set(messages.map(({ threadId }) => threadId));
  const inTheEnd = [...new Map(shown.map(({ place, id }) => [place, id])).values()];
  const newest = newestOfThreads(alerts.filter(({ threadId }) => threads.has(threadId)));
  expect(messages.length).toBeGreaterThan(100);
  expect(threads.size).toBe(messages.length);
  expect(new Set(inTheEnd)).toEqual(new Set(newest.map(({ id }) => id)));
  expect(repeats(messages, 30 * MINUTE_MS)).toBeLessThanOrEqual(0.01);
  expect(repeats(messages, DAY_MS)).toBeLessThanOrEqual(0.05);
}, 60_000);
