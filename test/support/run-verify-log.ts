import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { runVerifyLog } from '../../src/cli/verify-log/run.ts';
import type { JsonObject } from '../../src/core/alerts/log/log-entry.ts';
import { HOUR_MS } from '../../src/core/base/time/duration.ts';
import { EVENTS, type Event, type LogFixture, logFixtureOf } from './log-fixture.ts';
import { startLogStandIn } from './log-stand-in.ts';
import { START } from './rows.ts';

/** A machine on which the command runs: its clock, whose sleeps pass immediately, and a folder with its state file. */
export type Verifier = Awaited<ReturnType<typeof openVerifier>>;

/** A service with a log, and a machine that verifies it. */
export async function openLog(log: LogFixture | readonly Event[] = EVENTS, machine: { stdin?: string } = {}) {
  const fixture = 'answers' in log ? log : logFixtureOf(log);
  const [standIn, verifier] = [await startLogStandIn(fixture), await openVerifier(machine)];
  const run = (...args: string[]) => verifier.run(standIn.url, ...args);
  return { standIn, verifier, fixture, run };
}

export async function openVerifier({ stdin = '' }: { stdin?: string } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'tipoff-verify-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const state = join(folder, 'state', 'verify-log.json');
  const slept: number[] = [];
  let now = START + HOUR_MS;
  const clock = {
    now: () => now,
    async sleep(ms: number, signal?: AbortSignal) {
      if (signal?.aborted === true) return;
      slept.push(ms);
      now += ms;
    },
  };
  return {
    state,
    clock: {
      slept,
      advance(ms: number) {
        now += ms;
      },
    },
    /** Runs the command, with the machine's state file unless another is named. */
    async run(...args: readonly string[]) {
      const lines: string[] = [];
      const complaints: string[] = [];
      const print = (text = '') => void lines.push(text);
      const style = (_: unknown, text: string) => text;
      const closed = new AbortController().signal;
      const terminal = { isInteractive: false, closed, line: print, prose: print, progress: () => {}, style };
      const withState = args.includes('--state') ? args : [...args, '--state', state];
      const code = await runVerifyLog(withState, {
        env: {},
        stdin: Readable.from([stdin]),
        terminal,
        clock,
        complain: (text) => void complaints.push(text),
      });
      return { code, out: lines.join('\n'), complaints: complaints.join('\n') };
    },
    async file(name: string, content: unknown) {
      const path = join(folder, name);
      await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
      return path;
    },
  };
}

/** The API answers an alert otherwise, and the log stays as it is. */
export function answering({ entries, answers }: LogFixture, id: number, change: JsonObject): LogFixture {
  const answer = answers.get(id) as JsonObject;
  const details = { ...(answer['details'] as JsonObject), ...(change['details'] as JsonObject | undefined) };
  return { entries, answers: new Map([...answers, [id, { ...answer, ...change, details }]]) };
}
