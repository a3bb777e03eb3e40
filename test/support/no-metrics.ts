import type { Metrics } from '../../src/core/ports/metrics.ts';

export const noMetrics: Metrics = {
  rowDropped: () => {},
  tradesJudged: () => {},
  alertAppended: () => {},
  marketResolved: () => {},
  snapshotWritten: () => {},
  keyVerified: () => {},
  argon2Ran: () => {},
  deliveryEnded: () => {},
  deliveryAttempted: () => {},
  deliveriesWaiting: () => {},
  chatMessageEnded: () => {},
  jobRan: () => {},
  streamOpened: () => {},
  streamEnded: () => {},
  streamSent: () => {},
};
