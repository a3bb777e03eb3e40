import { z } from 'zod';
import type { Declaration, Documents, OpenDocuments } from './documents.ts';

const schema = z.strictObject({ id: z.string(), value: z.int() });

/** `id` is the name. */
const NAMED_NUMBERS: Declaration<z.infer<typeof schema>> = { kind: 'named_numbers', schema };

/** Numbers that only grow: how far each outbox has come. */
export class NamedNumbers {
  readonly #documents: Documents<z.infer<typeof schema>>;

  constructor(open: OpenDocuments, options?: { readonly isQuick: boolean }) {
    this.#documents = open(NAMED_NUMBERS, options);
  }

  /** Null before the first change. */
  async read(name: string): Promise<number | null> {
    return (await this.#documents.get(name))?.value ?? null;
  }

  /** Sets a number unless it is larger. */
  async raise(name: string, value: number): Promise<void> {
    if ((await this.#documents.update({ id: name }, { max: { value } })) === 1) return;
    const [inserted] = await this.#documents.insertMissing([{ id: name, value }]);
    if (inserted === undefined) await this.raise(name, value);
  }
}
