import { AttemptFailure } from './attempt-failure.ts';
import type { HttpConnection } from './http-connection.ts';
import type { SignedRequest } from './signed-request.ts';

export interface PostOptions extends SignedRequest {
  /** Its abort closes the connection, whatever has come by then. */
  readonly signal: AbortSignal;
  /** Called once, as soon as the head of the answer is there. */
  onStatus(status: number): void;
}

/** No more of an answer's body is read. */
const MAX_BODY_BYTES = 1_024;
/** Nor of all of an answer: heads of 1xx, extensions of chunks and trailers have no end of their own. */
const MAX_BYTES = 256 * 1_024;
/** Nor waited for longer behind its head: others need the connection's place. */
const BODY_MS = 500;

/**
 * Resolves when the answer has ended; the connection is open or not then, as the two sides want it. Where the body is
 * too long for that, it resolves too, and the connection is closed. It is closed as well when this rejects.
 */
export function post(connection: HttpConnection, options: PostOptions): Promise<void> {
  const { path, headers, body, signal, onStatus } = options;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let bytesLeft = MAX_BODY_BYTES;
  const forget = connection.onExcess(MAX_BYTES, () => {
    reject(new AttemptFailure('protocol'));
    cut();
  });
  let bodyTimer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearTimeout(bodyTimer);
    forget();
    signal.removeEventListener('abort', abort);
  };
  const cut = () => {
    stop();
    connection.end().catch(() => {});
  };
  function abort(): void {
    reject(signal.reason);
    cut();
  }

  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  connection.client.dispatch(
    { method: 'POST', path, headers: [...headers], body },
    {
      // The client takes no handler without it.
      onRequestStart() {},
      onResponseStart(_controller, status) {
        if (status < 200) return;
        onStatus(status);
        bodyTimer = setTimeout(() => {
          resolve();
          cut();
        }, BODY_MS);
      },
      onResponseData(_controller, chunk) {
        bytesLeft -= chunk.length;
        if (bytesLeft >= 0) return;
        resolve();
        cut();
      },
      onResponseEnd() {
        stop();
        resolve();
      },
      onResponseError(_controller, error) {
        reject(error);
        cut();
      },
    },
  );
  return promise;
}
