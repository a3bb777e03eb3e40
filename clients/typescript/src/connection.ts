/** The part of the WebSocket of browsers that is used. */
export interface WebSocketLike {
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null;
  onerror: ((event: unknown) => void) | null;
  send(text: string): void;
  close(code: number): void;
}

export type WebSocketClass = new (address: string) => WebSocketLike;

/** A message of the server. */
export interface Frame {
  readonly type: string;
  readonly [name: string]: unknown;
}

export interface Ending {
  readonly code: number;
  readonly reason: string;
  /** The reason that the server sent; empty if it sent none. */
  readonly detail: string;
}

/** The close code of a connection that ended without one. */
const LOST = 1006;
/** The contract advises 20 to 25 seconds. */
const PING_MS = 20_000;
/** The time for `connected`, and for any frame after a ping. */
const ANSWER_MS = 10_000;
/** With this many frames waiting the connection is closed; it is resumed when they have been taken. */
const WAITING_MAX = 20_000;

/** One connection to the stream: sends pings, and keeps the frames until they are taken. */
export class Connection {
  readonly #socket: WebSocketLike;
  #waiting: Frame[] = [];
  #wake = () => {};
  #ending: Ending | null = null;
  #wasConnected = false;
  #watchdog: ReturnType<typeof setTimeout>;
  readonly #pings: ReturnType<typeof setInterval>;

  constructor(WebSocket: WebSocketClass, address: string) {
    this.#socket = new WebSocket(address);
    this.#watchdog = setTimeout(() => this.close('no `connected` arrived in time'), ANSWER_MS);
    this.#pings = setInterval(() => this.#ping(), PING_MS);
    this.#socket.onmessage = ({ data }) => this.#receive(data);
    this.#socket.onclose = ({ code, reason: detail }) =>
      this.#end({ code, reason: `closed with ${code} ${detail}`.trim(), detail });
    // Node 22 sends no `close` after a failed handshake.
    this.#socket.onerror = () => this.#end({ code: LOST, reason: `closed with ${LOST}`, detail: '' });
  }

  /** Whether the server has accepted the connection. */
  get wasConnected(): boolean {
    return this.#wasConnected;
  }

  /** Null while the connection is open. */
  get ending(): Ending | null {
    return this.#ending;
  }

  /** The frames in order; ends when the connection has ended and all of them have been taken. */
  async *frames(): AsyncGenerator<Frame, void, undefined> {
    for (;;) {
      const frame = this.#waiting.shift();
      if (frame !== undefined) yield frame;
      else if (this.#ending !== null) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }

  /** Does not wait for the server: a network that is gone would never answer. */
  close(reason: string): void {
    if (this.#ending !== null) return;
    this.#socket.close(1000);
    this.#end({ code: 1000, reason, detail: '' });
  }

  /** Closes the connection and drops the frames that wait. */
  abort(): void {
    this.close('stopped');
    this.#waiting = [];
  }

  #ping(): void {
    if (!this.#wasConnected) return;
    this.#socket.send('ping');
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => this.close('a ping was not answered'), ANSWER_MS);
  }

  #receive(data: unknown): void {
    const frame = parseFrame(data);
    if (frame === null) return;
    this.#wasConnected ||= frame.type === 'connected';
    if (this.#wasConnected) clearTimeout(this.#watchdog);
    if (this.#waiting.length < WAITING_MAX) this.#waiting.push(frame);
    else this.close('too many alerts wait to be taken');
    this.#wake();
  }

  /** The first end counts. `onerror` stays: without a listener the package `ws` throws what comes later. */
  #end(ending: Ending): void {
    if (this.#ending !== null) return;
    this.#ending = ending;
    this.#socket.onmessage = null;
    this.#socket.onclose = null;
    clearTimeout(this.#watchdog);
    clearInterval(this.#pings);
    this.#wake();
  }
}

function parseFrame(data: unknown): Frame | null {
  try {
    const frame = JSON.parse(String(data));
    return typeof frame?.type === 'string' ? frame : null;
  } catch {
    return null;
  }
}
