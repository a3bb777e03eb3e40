import { z } from 'zod';

/**
 * An id in a row (wallet, token, market, transaction): 1 to 100 printable ASCII characters. The longest real one is a token
 * id of 78 digits. Not necessarily hexadecimal: hand-made tapes use other ids.
 */
export const idSchema = z.string().regex(/^[\x21-\x7E]{1,100}$/);
