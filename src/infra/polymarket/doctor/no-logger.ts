import type { Logger } from '../../../core/logger.ts';

/** For the probed parts of the feed: their failures are in the finding. */
export const noLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
