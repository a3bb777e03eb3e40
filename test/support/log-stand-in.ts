import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { LogEntry } from '../../src/core/alerts/log/log-entry.ts';
import { entryLine } from '../../src/core/alerts/log/seal.ts';
import type { LogFixture } from './log-fixture.ts';

/** Another answer than the service's own; false: it has none. */
export type Answer = (path: string, response: ServerResponse, request: IncomingMessage) => boolean;

/** A service as an operator could write it to deceive: it serves whatever world it is given. */
export type LogStandIn = Awaited<ReturnType<typeof startLogStandIn>>;

export const KEY = 'sk_live_a-key-of-the-test';
/** Of a page that a key may ask for. */
const PAGE_ALERTS = 4;

export async function startLogStandIn(fixture: LogFixture) {
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    standIn.asked.push(path);
    if (standIn.answer(path, response, request)) return;
    const { status, type, text } = replyTo(standIn, path, request);
    response.writeHead(status, { 'content-type': type }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const answer: Answer = () => false;
  const standIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** What is published from now on. */
    fixture,
    isRealtime: true,
    /** Entries that a reader at the free delay does not see yet. */
    delayed: 0,
    asked: [] as string[],
    answer,
  };
  return standIn;
}

interface Reply {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

function replyTo(standIn: LogStandIn, path: string, request: IncomingMessage): Reply {
  const { fixture, isRealtime, delayed } = standIn;
  const hasKey = request.headers.authorization === `Bearer ${KEY}`;
  const visible = fixture.entries.slice(0, fixture.entries.length - (hasKey && isRealtime ? 0 : delayed));
  const last = visible.at(-1);
  const head = { sequence: last?.sequence ?? 0, hash: last?.hash ?? '0'.repeat(64), at: last?.at ?? null };
  const { pathname, searchParams } = new URL(path, standIn.url);
  if (pathname.startsWith('/api/v1/') && !hasKey) return json({ detail: 'Missing or invalid API key.' }, 401);
  if (pathname === '/api/v1/me') return json({ realtime: isRealtime });
  if (pathname === '/api/v1/alerts') {
    const alerts = [...fixture.answers.values()].filter(
      (alert) => Number(alert['id']) > Number(searchParams.get('since_id')),
    );
    return json({ alerts: alerts.slice(0, PAGE_ALERTS) });
  }
  if (pathname === '/api/v1/log') {
    const [after, limit] = [Number(searchParams.get('after')), Number(searchParams.get('limit'))];
    const page = visible.slice(after, after + limit);
    const text = `{"entries":[${page.map(entryLine)}],"head":${JSON.stringify(head)}}`;
    return { status: 200, type: 'application/json', text };
  }
  const months = Map.groupBy(visible, ({ at }) => new Date(at).toISOString().slice(0, 7));
  if (pathname === '/log') return json({ months: [...months].map(monthOf), head });
  const entries = months.get(pathname.replace('/log/', '').replace('.jsonl', ''));
  if (entries === undefined) return json(null);
  return {
    status: 200,
    type: 'text/plain; charset=utf-8',
    text: entries.map((entry) => `${entryLine(entry)}\n`).join(''),
  };
}

/** Null: not found. */
function json(body: unknown, status = body === null ? 404 : 200): Reply {
  return { status, type: 'application/json', text: JSON.stringify(body ?? { detail: 'not found' }) };
}

function monthOf([month, entries]: readonly [string, readonly LogEntry[]]) {
  const [first_sequence, last_sequence] = [entries[0]?.sequence, entries.at(-1)?.sequence];
  return { month, first_sequence, last_sequence, complete: false };
}
