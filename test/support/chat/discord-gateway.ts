import type { IncomingMessage, Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';

interface GatewayFacts {
  readonly server: Server;
  readonly token: string;
  ready(): { readonly d: object; readonly guild: object };
}

export const SESSION_ID = 'session-1';

export function createStandInGateway({ server, token, ready }: GatewayFacts) {
  const wss = new WebSocketServer({ noServer: true });
  const clients = new Set<WebSocket>();
  const log: string[] = [];
  const refusals: number[] = [];
  const identified: number[] = [];
  let current: WebSocket | null = null;
  let resumed = 0;
  let unavailable = { status: 0, times: 0 };

  function frame(type: string, data: object): string {
    const text = JSON.stringify({ op: 0, t: type, s: log.length + 1, d: data });
    log.push(text);
    return text;
  }

  function identify(socket: WebSocket, d: { token: string; intents: number }): void {
    identified.push(d.intents);
    const refusal = refusals.shift();
    const code = refusal ?? (d.token === token ? null : 4004);
    if (code !== null) {
      socket.close(code);
      return;
    }
    const { d: data, guild } = ready();
    current = socket;
    socket.send(frame('READY', data));
    socket.send(frame('GUILD_CREATE', guild));
  }

  function resume(socket: WebSocket, d: { token: string; session_id: string; seq: number }): void {
    if (d.token !== token || d.session_id !== SESSION_ID) {
      socket.send(JSON.stringify({ op: 9, d: false }));
      return;
    }
    resumed += 1;
    current = socket;
    for (const missed of log.slice(d.seq)) socket.send(missed);
    socket.send(frame('RESUMED', {}));
  }

  wss.on('connection', (socket: WebSocket) => {
    clients.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      clients.delete(socket);
      if (current === socket) current = null;
    });
    socket.on('message', (raw) => {
      const { op, d } = JSON.parse(String(raw));
      if (op === 1) socket.send(JSON.stringify({ op: 11 }));
      if (op === 2) identify(socket, d);
      if (op === 6) resume(socket, d);
    });
    socket.send(JSON.stringify({ op: 10, d: { heartbeat_interval: 41_250 } }));
  });
  server.on('upgrade', (request: IncomingMessage, socket, head) => {
    if (unavailable.times > 0) {
      unavailable.times -= 1;
      socket.end(`HTTP/1.1 ${unavailable.status} Unavailable\r\nconnection: close\r\n\r\n`);
      return;
    }
    wss.handleUpgrade(request, socket, head, (ws) => wss.emit('connection', ws, request));
  });

  return {
    /** An event for the connected client; without one it is kept for the client that resumes. */
    dispatch(type: string, data: object) {
      const text = frame(type, data);
      current?.send(text);
    },
    drop(code: number) {
      for (const socket of clients) {
        if (code === 1006) socket.terminate();
        else socket.close(code);
      }
    },
    /** The next so many connections are answered with this HTTP status. */
    refuseConnections(status: number, times: number) {
      unavailable = { status, times };
    },
    refusals,
    identified,
    get resumed() {
      return resumed;
    },
    get sockets() {
      return clients.size;
    },
    close() {
      for (const socket of clients) socket.terminate();
      wss.close();
    },
  };
}
