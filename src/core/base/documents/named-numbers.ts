import { z } from 'zod';
import type { Declaration, Documents, OpenDocuments } from './documents.ts';

const schema = z.strictObject({ id: z.string(), value: z.int() });

/** `id` is the name. */
const NAMED_NUMBERS: Declaration<z.infer<typeof schema>> = { kind: 'named_numbers', schema };

/** Numbers that only grow: how far each outbox has come, and how often something was changed. */
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

  async add(name: string, amount: number): Promise<void> {
    if ((await this.#documents.update({ id: name }, { inc: { value: amount } })) === 1) return;
    const [inserted] = await this.#documents.insertMissing([{ id: name, value: amount }]);
    if (inserted === undefined) await this.add(name, amount);
  }
}

/** The number of changes of a kind of document, so that what is kept of it in memory is read again only after one. */
export class ChangeCount {
  readonly #numbers: NamedNumbers;
  readonly #name: string;

  constructor(open: OpenDocuments, name: 'key_changes' | 'webhook_changes') {
    this.#numbers = new NamedNumbers(open);
    this.#name = name;
  }

  async read(): Promise<number> {
    return (await this.#numbers.read(this.#name)) ?? 0;
  }

  /** Counts once the change has ended: also after a failure, as its outcome may be unknown. */
  async counted<Answer>(change: () => Promise<Answer>): Promise<Answer> {
    try {
      return await change();
    } finally {
      await this.#numbers.add(this.#name, 1);
    }
  }
}
