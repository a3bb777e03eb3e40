import { DATABASE_TIMEOUT_MS } from '../../../src/core/base/database-errors.ts';

export const WALLET = '0x00000000000000000000000000000000000000aa';
export const OTHER = '0x00000000000000000000000000000000000000BB';
export const away = () => Promise.reject(new Error(`no answer within ${DATABASE_TIMEOUT_MS} ms`));
