import type { Logger } from '../../../core/logger.ts';

/** For parts of the feed in a probe: what they would log is in the finding. */
export const noLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
