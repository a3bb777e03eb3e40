import { expect } from 'vitest';
import type { Job } from '../../jobs/schedule.ts';
import type { NewChatMessage } from '../../src/core/chat/chat-message.ts';
import { MORNING as NOW } from './job-fixture.ts';

const running = new AbortController().signal;
export const run = (job: Job, given: { now?: number; period?: string; signal?: AbortSignal } = {}) =>
  job.run({ now: NOW, period: '2026-11-20', signal: running, ...given });

/** An outbox that takes each id once, as the real one does. */
export function openOutbox() {
  const messages = new Map<string, NewChatMessage>();
  const add = async (given: readonly NewChatMessage[]) => {
    expect(new Set(given.map(({ id }) => id)).size).toBe(given.length);
    const added = given.filter(({ id }) => !messages.has(id));
    for (const message of added) messages.set(message.id, message);
    return added.map(({ id }) => id);
  };
  return { outbox: { add }, ids: () => [...messages.keys()], all: () => [...messages.values()] };
}
