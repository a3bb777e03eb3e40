import type { Logger } from '../../core/base/logger.ts';

/** For parts that say elsewhere what they would log. */
export const noLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
