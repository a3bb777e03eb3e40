import type { Logger } from '../../src/core/base/logger.ts';

export const silentLogger: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
