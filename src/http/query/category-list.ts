import { z } from 'zod';
import { CATEGORIES, type Category } from '../../core/category.ts';
import { invalidValue } from '../schemas/validation.ts';

const LENGTH = 200;
const WANTED = `Input should be ${CATEGORIES.map((one) => `'${one}'`).join(', ')}, with commas between them`;

/** Comma-separated categories, without duplicates, in the given order; an empty list for a blank text. */
export function categoryList() {
  return z
    .string()
    .max(LENGTH, { abort: true })
    .transform((text, context): Category[] => {
      if (text.trim() === '') return [];
      const names = new Set(text.split(',').map((name) => name.trim()));
      const known = [...names].filter(isCategory);
      if (known.length === names.size) return known;
      const wrong = [...names].filter((name) => !isCategory(name));
      context.addIssue(invalidValue('enum', `${WANTED}, got ${wrong.map((name) => `'${name}'`).join(', ')}`));
      return z.NEVER;
    })
    .meta({ type: 'string', examples: ['politics,crypto'] });
}

function isCategory(name: string): name is Category {
  return CATEGORIES.some((category) => category === name);
}
