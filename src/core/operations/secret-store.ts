import { z } from 'zod';
import type { Declaration, Documents, OpenDocuments } from '../base/documents/documents.ts';

const schema = z.strictObject({ id: z.string(), secret: z.string() });

/** `id` is the name. */
const SECRETS: Declaration<z.infer<typeof schema>> = { kind: 'secrets', schema };

/** Secrets that the service generated because they are not configured, and what it must remember about configured ones. */
export class Secrets {
  readonly #documents: Documents<z.infer<typeof schema>>;

  constructor(open: OpenDocuments) {
    this.#documents = open(SECRETS);
  }

  /** The stored secret of this name; without one, stores and returns `candidate`. All processes get the same. */
  async getOrCreate(name: string, candidate: string): Promise<string> {
    await this.#documents.insertMissing([{ id: name, secret: candidate }]);
    // That of another process once a majority has it: secrets derived from it must not change.
    for (;;) {
      const found = await this.get(name);
      if (found !== null) return found;
    }
  }

  /** Null if there is none. */
  async get(name: string): Promise<string | null> {
    return (await this.#documents.get(name))?.secret ?? null;
  }

  /** Stores `next` where `current` is stored (null: nothing). False where it is not: another process was faster. */
  async replace(name: string, current: string | null, next: string): Promise<boolean> {
    if (current === null)
      return (await this.#documents.insertMissing([{ id: name, secret: next }])).length === 1;
    return (await this.#documents.update({ id: name, secret: current }, { set: { secret: next } })) === 1;
  }
}
