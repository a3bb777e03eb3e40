import type { Logger } from '../../src/core/ports/logger.ts';

export const silentLogger: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
