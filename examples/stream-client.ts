/**
 * A client of the alert stream, for Node 24 and browsers, without dependencies. Copy it.
 *
 *     await followAlerts({
 *       url: 'wss://alerts.example.com',
 *       apiKey: process.env.TIPOFF_API_KEY,
 *       minSignal: 70,
 *       onAlert: (alert) => console.log(alert.id, alert.event_title),
 *     });
 *
 * What holds while it runs: `onAlert` gets every alert once, in the order of ids, one at a time, however often the
 * connection breaks. The next alert waits for the promise of the one before. What was left out, because more than
 * 10,000 alerts were missed, is passed to `onGap` instead.
 *
 * Over a restart of your program it is at least once, or exactly once if you keep the id together with what you did:
 * store `alert.id` when the work is done, and begin with `sinceId` next time.
 */

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** Each wait is shortened by up to this part, so that many clients do not return in one moment. */
const JITTER = 0.1;
const PING_MS = 20_000;
/** How long a connection may take to say `connected`, and to say anything after a ping. */
const ANSWER_MS = 10_000;
/** With so many alerts waiting for `onAlert` the connection is given up, and taken up again when they are done. */
const WAITING_MAX = 20_000;

const UNREACHABLE = 'service unavailable';
const REFUSED = 'handshake refused although the key is valid, perhaps for too many sockets';

const CATEGORIES = ['crypto', 'politics', 'world', 'tech', 'finance', 'pop_culture', 'other'] as const;
const ALERT_TYPES = ['fresh', 'fresh_accumulator', 'cluster'] as const;
export type Category = (typeof CATEGORIES)[number];
export type AlertType = (typeof ALERT_TYPES)[number];

export interface StreamAlert {
  id: number;
  alert_type: AlertType;
  wallet_address: string;
  market_id: string;
  event_title: string;
  event_slug: string;
  side: 'BUY' | 'SELL';
  outcome: string;
  entry_price: number;
  usdc_value: number;
  signal_score: number;
  category: Category;
  trade_count: number;
  /** UTC, `YYYY-MM-DD HH:MM:SS`. */
  created_at: string;
  resolved: boolean;
  won: boolean | null;
  profit_usdc: number | null;
  /** Its entry in the log, the newest when it was published; null when it is older than the log. */
  log: { sequence: number; hash: string } | null;
  details: {
    wallet_age_days: number;
    is_accumulating: boolean;
    /** Buys of this outcome by the wallet so far, their USDC and their mean price. */
    market_buy_count: number;
    market_total_bought: number;
    market_avg_price: number;
    /** Their shares; absent from alerts made before version 3 of the rules. */
    position_shares?: number | undefined;
    /** `taker` crossed the spread, `maker` had rested the order; null while unknown. */
    role?: 'taker' | 'maker' | null | undefined;
    /** The alert before it in its thread, the alerts of one position; null when it is the first. */
    supersedes?: number | null | undefined;
    /** Of a cluster: its members, their USDC, shares and mean price. */
    wallets?: string[] | undefined;
    cluster_total?: number | undefined;
    cluster_shares?: number | undefined;
    cluster_avg_price?: number | undefined;
    [name: string]: unknown;
  };
}

/** Alerts that were missed and are not sent again, the first and the last of them. `GET /alerts` has them. */
export interface Gap {
  from: number;
  to: number;
}

export type StreamStatus =
  | { state: 'connecting'; sinceId: number | null }
  | { state: 'connected'; tier: string }
  | { state: 'waiting'; ms: number; reason: string };

export interface FollowOptions {
  /** Address of the service, `wss://` or `https://`, without a path. */
  url: string;
  apiKey: string;
  /** The last id you have: what came after it is sent first. Without it: what comes from now on. */
  sinceId?: number;
  categories?: readonly Category[];
  /** 0 to 100. */
  minSignal?: number;
  alertType?: AlertType;
  /** What it throws ends the following, and is thrown by `followAlerts`. */
  onAlert(alert: StreamAlert): void | Promise<void>;
  onGap?(gap: Gap): void | Promise<void>;
  onStatus?(status: StreamStatus): void;
  /** Ends the following: the socket is closed with 1000, and the promise resolves when the running `onAlert` has ended. */
  signal?: AbortSignal;
  /** Waits between two connections, at most until `signal` is aborted. For tests. */
  wait?(ms: number, signal: AbortSignal): Promise<void>;
}

/** The service does not want this client as it is; to connect again unchanged is no use. */
export class StreamRefused extends Error {
  override name = 'StreamRefused';
  /** The close code of the socket, or the HTTP status 401. */
  readonly code: number;
  constructor(code: number, advice: string) {
    super(`${code}: ${advice}`);
    this.code = code;
  }
}

/**
 * Follows the stream until `signal` is aborted. A connection that is lost is taken up again where it ended, after 1
 * second, then 2, 4, 8, 16 and at most 30, from 1 again once the service has said `connected`.
 *
 * Throws `StreamRefused` when the key is wrong (401, 4401), its tier has no stream (4403), or the service closes with
 * another code from 4400 to 4499; a `RangeError` for values that no service takes. 4408 and 4409 (no ping in time, read
 * too slowly) are no reason to stop here: this client pings and reads, so they tell of a computer that slept or a
 * program that was busy, and it returns with `since_id`.
 */
export async function followAlerts(options: FollowOptions): Promise<void> {
  const { onStatus, wait = sleep } = options;
  checkValues(options);
  const failed = new AbortController();
  const stop = AbortSignal.any([failed.signal, ...(options.signal ? [options.signal] : [])]);
  const fail = (error: unknown) => failed.abort(error);
  const inbox = createInbox(options, stop, fail);
  let pause = FIRST_WAIT_MS;
  inbox.lastId ??= await newestId(options, stop);
  while (!stop.aborted) {
    onStatus?.({ state: 'connecting', sinceId: inbox.lastId });
    const ending = await listen(streamAddress(options, inbox.lastId), stop, (frame) => {
      try {
        if (frame.type === 'connected') onStatus?.({ state: 'connected', tier: String(frame['tier']) });
        return inbox.take(frame);
      } catch (error) {
        fail(error);
        return true;
      }
    });
    await inbox.handedOn();
    if (stop.aborted) break;
    refuseForGood(ending.code);
    let { reason } = ending;
    if (ending.wasConnected) {
      pause = FIRST_WAIT_MS;
    } else {
      // Why a handshake was refused is hidden from programs: the API says whether it was the key.
      const newest = await newestId(options, stop);
      inbox.lastId ??= newest;
      if (ending.code === 1006) reason = newest === null ? UNREACHABLE : REFUSED;
    }
    const ms = pause * (1 - JITTER * Math.random());
    onStatus?.({ state: 'waiting', ms, reason });
    await wait(ms, stop);
    pause = Math.min(pause * 2, LONGEST_WAIT_MS);
  }
  await inbox.handedOn();
  if (failed.signal.aborted) throw failed.signal.reason;
}

/** The service refuses wrong values at the handshake, where the reason is hidden. */
function checkValues({ sinceId = 0, categories = [], minSignal = 0, alertType }: FollowOptions): void {
  const known: readonly string[] = CATEGORIES;
  const wrong = categories.find((name) => !known.includes(name));
  if (wrong !== undefined) throw new RangeError(`Categories are ${known.join(', ')}; not ${wrong}.`);
  if (alertType !== undefined && !ALERT_TYPES.includes(alertType)) {
    throw new RangeError(`Alert types are ${ALERT_TYPES.join(', ')}; not ${alertType}.`);
  }
  if (!Number.isInteger(minSignal) || minSignal < 0 || minSignal > 100) {
    throw new RangeError(`The signal is a whole number from 0 to 100, not ${minSignal}.`);
  }
  if (!Number.isSafeInteger(sinceId) || sinceId < 0) throw new RangeError(`${sinceId} is no id of an alert.`);
}

type Frame = Readonly<Record<string, unknown>> & { readonly type: string };

/** Passes alerts and gaps to the callbacks, one at a time, and keeps the id to resume from. */
function createInbox(
  { sinceId, onAlert, onGap }: FollowOptions,
  stop: AbortSignal,
  fail: (error: unknown) => void,
) {
  let seen = 0;
  let waiting = 0;
  let work = Promise.resolve();
  const hand = (upTo: number, call: () => void | Promise<void>) => {
    if (waiting >= WAITING_MAX) return false;
    seen = upTo;
    inbox.lastId = upTo;
    waiting += 1;
    work = work
      .then(() => (stop.aborted ? undefined : call()))
      .catch(fail)
      .finally(() => {
        waiting -= 1;
      });
    return true;
  };
  const inbox = {
    lastId: sinceId ?? null,
    /** False: there is no room. */
    take(frame: Frame): boolean {
      if (frame.type === 'alert') {
        const alert = frame['data'] as StreamAlert;
        return alert.id <= seen || hand(alert.id, () => onAlert(alert));
      }
      if (frame.type === 'gap') {
        const gap = { from: Number(frame['from']), to: Number(frame['to']) };
        return hand(gap.to, () => onGap?.(gap));
      }
      return true;
    },
    handedOn: () => work,
  };
  return inbox;
}

interface Ending {
  readonly code: number;
  readonly reason: string;
  /** Whether the service had said `connected`. */
  readonly wasConnected: boolean;
}

/** One connection, from its handshake until it is over. `take` says false when it can take no more. */
function listen(address: string, stop: AbortSignal, take: (frame: Frame) => boolean): Promise<Ending> {
  return new Promise((resolve) => {
    const socket = new WebSocket(address);
    const over = new AbortController();
    let wasConnected = false;
    let watchdog = setTimeout(leave, ANSWER_MS, 'it did not say connected in time');
    const pings = setInterval(() => {
      if (!wasConnected) return;
      socket.send('ping');
      clearTimeout(watchdog);
      watchdog = setTimeout(leave, ANSWER_MS, 'a ping was not answered');
    }, PING_MS);

    function end(code: number, reason: string): void {
      over.abort();
      clearTimeout(watchdog);
      clearInterval(pings);
      resolve({ code, reason, wasConnected });
    }
    /** Does not wait for the other side: a network that is gone would never answer. */
    function leave(reason: string): void {
      socket.close(1000);
      end(1000, reason);
    }
    const { signal } = over;
    const onMessage = ({ data }: MessageEvent) => {
      const frame = parseFrame(data);
      if (frame === null) return;
      wasConnected ||= frame.type === 'connected';
      if (wasConnected) clearTimeout(watchdog);
      if (!take(frame)) leave('too many alerts wait to be handled');
    };
    socket.addEventListener('message', onMessage, { signal });
    const onClose = ({ code, reason }: CloseEvent) => end(code, `closed with ${code} ${reason}`.trim());
    socket.addEventListener('close', onClose, { signal });
    stop.addEventListener('abort', () => leave('stopped'), { signal });
    if (stop.aborted) leave('stopped');
  });
}

function parseFrame(data: unknown): Frame | null {
  try {
    const frame = JSON.parse(String(data));
    return typeof frame?.type === 'string' ? frame : null;
  } catch {
    return null;
  }
}

function streamAddress(options: FollowOptions, sinceId: number | null): string {
  const { url, apiKey, categories = [], minSignal, alertType } = options;
  const address = new URL('/ws/alerts', url);
  address.protocol = address.protocol.replace('http', 'ws');
  const query = {
    api_key: apiKey,
    since_id: sinceId,
    categories: categories.join(',') || null,
    min_signal: minSignal,
    alert_type: alertType,
  };
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) address.searchParams.set(name, String(value));
  }
  return address.href;
}

/** The newest id at this moment; null when the service cannot be asked. Throws when it does not know the key. */
async function newestId({ url, apiKey }: FollowOptions, stop: AbortSignal): Promise<number | null> {
  const address = new URL('/api/v1/alerts/latest?limit=1', url);
  address.protocol = address.protocol.replace('ws', 'http');
  const signal = AbortSignal.any([stop, AbortSignal.timeout(ANSWER_MS)]);
  const headers = { authorization: `Bearer ${apiKey}` };
  try {
    const answer = await fetch(address, { headers, signal });
    if (answer.status === 401) throw new StreamRefused(401, 'the API key is missing, unknown or revoked.');
    if (!answer.ok) return null;
    const [newest] = (await answer.json()) as { id: number }[];
    return newest?.id ?? 0;
  } catch (error) {
    if (error instanceof StreamRefused) throw error;
    return null;
  }
}

function refuseForGood(code: number): void {
  if (code < 4400 || code > 4499 || code === 4408 || code === 4409) return;
  throw new StreamRefused(code, ADVICE[code] ?? 'the service does not want this client as it is.');
}

const ADVICE: Readonly<Record<number, string>> = {
  4401: 'the API key was revoked or has expired. Use another key.',
  4403: 'the tier of the key has no stream. Pro and Enterprise have it.',
  4429: 'too many messages were sent.',
};

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(wake, ms);
    function wake(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      resolve();
    }
    signal.addEventListener('abort', wake, { once: true });
    if (signal.aborted) wake();
  });
}
