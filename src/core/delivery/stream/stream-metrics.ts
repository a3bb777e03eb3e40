import type { StreamEnd } from './close-codes.ts';

/** Metrics of the stream. */
export interface StreamMetrics {
  /** A socket was opened. Each ends once. */
  streamOpened(): void;
  streamEnded(end: StreamEnd): void;
  /** Alerts sent, counted once for each socket. */
  streamSent(frames: number): void;
}
