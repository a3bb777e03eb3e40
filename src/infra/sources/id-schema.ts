import { z } from 'zod';

/**
 * An id as rows may have it (wallet, token, market, transaction): 1 to 100 printable ASCII characters. The longest real
 * one is a token id of 78 digits. It need not be hexadecimal, as those of hand-made tapes are not.
 */
export const idSchema = z.string().regex(/^[\x21-\x7E]{1,100}$/);
