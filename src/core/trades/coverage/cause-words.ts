import type { WindowCause } from './blind-window.ts';

/** The causes as sentences for operators and customers. */
export const CAUSE_WORDS: Readonly<Record<WindowCause, string>> = {
  stopped: 'The service did not run.',
  unreachable: 'The market did not answer.',
  dns: 'The host name of the market could not be resolved.',
  tls: 'The TLS connection to the market failed.',
  refused: 'The market refused this address (HTTP 403 or 451): is it geo-blocked?',
  not_found: 'The market did not know the path (HTTP 404): has its API moved?',
  rate_limited: 'The market asked to wait (HTTP 429).',
  failing: 'The market answered with errors.',
  stalled: 'The answers of the market were out of date.',
  unconfirmed: 'Trades came from a stream or a node, and nothing confirmed that they were all.',
};
