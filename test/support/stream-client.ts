import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';

export type StreamTestClient = ReturnType<typeof openStream>;

/** As `openStream`, until the test ends. */
export function connectStream(baseUrl: string, query: string, path?: string): StreamTestClient {
  const client = openStream(baseUrl, query, path);
  onTestFinished(() => client.socket.terminate());
  return client;
}

/** Connects, and listens before anything can arrive. Query values are written as they are. */
export function openStream(baseUrl: string, query: string, path = '/ws/alerts') {
  const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}${path}?${query}`);
  const frames: unknown[] = [];
  const watchers = new Set<() => void>();
  const { promise: closed, resolve: close } = Promise.withResolvers<{ code: number; reason: string }>();
  socket.on('message', (data) => {
    frames.push(JSON.parse(String(data)));
    for (const watcher of watchers) watcher();
  });
  socket.on('error', () => {});
  socket.on('close', (code, reason) => close({ code, reason: String(reason) }));
  return {
    socket,
    // biome-ignore lint/suspicious/noExplicitAny: a frame is whatever the server sent
    frames: frames as any[],
    /** Rejects when the connection is closed before. */
    received(count: number) {
      // biome-ignore lint/suspicious/noExplicitAny: a frame is whatever the server sent
      return new Promise<any[]>((resolve, reject) => {
        const watcher = () => {
          if (frames.length < count) return;
          watchers.delete(watcher);
          resolve(frames);
        };
        watchers.add(watcher);
        watcher();
        void closed.then(({ code, reason }) =>
          reject(new Error(`closed with ${code} after ${frames.length} of ${count} frames: ${reason}`)),
        );
      });
    },
    ids: (): number[] => frames.flatMap((frame) => (isAlert(frame) ? frame.data.id : [])),
    closed,
  };
}

export async function refusedStream(baseUrl: string, query: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}/ws/alerts?${query}`, { headers });
  onTestFinished(() => socket.terminate());
  socket.on('error', () => {});
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return {
    status: response.statusCode,
    headers: response.headers,
    body: JSON.parse(Buffer.concat(chunks).toString()),
  };
}

function isAlert(frame: unknown): frame is { data: { id: number } } {
  return (frame as { type: string }).type === 'alert';
}
