import { z } from 'zod';
import { cleanText } from './clean-text.ts';

/** Text that strangers wrote and that a row may lack. Null where it is absent, empty, or no text: the row is not lost for it. */
export const optionalText = z
  .string()
  .transform((text) => cleanText(text) || null)
  .nullable()
  .catch(null);
