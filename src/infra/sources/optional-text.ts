import { z } from 'zod';
import { cleanText } from './clean-text.ts';

/** Third-party text that is optional in a row. Null where it is absent, empty or not a string, so that the row stays valid. */
export const optionalText = z
  .string()
  .transform((text) => cleanText(text) || null)
  .nullable()
  .catch(null);
