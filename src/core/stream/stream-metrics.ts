import type { StreamEnd } from './close-codes.ts';

/** Metrics of the stream. */
export interface StreamMetrics {
  /** A socket was greeted; each is ended once. */
  streamOpened(): void;
  streamEnded(end: StreamEnd): void;
  /** Alerts sent, counted once for each socket. */
  streamSent(frames: number): void;
}
