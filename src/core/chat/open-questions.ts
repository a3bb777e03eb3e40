import { z } from 'zod';
import { type HandleId, PLATFORMS } from '../accounts/customers/customer.ts';
import {
  type Declaration,
  type Documents,
  LONG_CALL_MS,
  type OpenDocuments,
} from '../base/documents/documents.ts';
import type { EpochMs } from '../base/time/duration.ts';

const schema = z.strictObject({
  /** `${platform}:${userId}`. */
  id: z.string(),
  platform: z.enum(PLATFORMS),
  userId: z.string(),
  /** The action that gets the line. */
  action: z.string(),
  expiresAt: z.int(),
});
type QuestionDocument = z.infer<typeof schema>;

/** A question that a person was asked in chat; their next line of text answers it. A person has at most one. */
export type OpenQuestion = Omit<QuestionDocument, 'id'>;

const QUESTIONS: Declaration<QuestionDocument> = {
  kind: 'chat_questions',
  schema,
  indexes: { chat_questions_by_end: { fields: ['expiresAt'] } },
};

/** Open questions, by person. */
export class OpenQuestions {
  readonly #questions: Documents<QuestionDocument>;

  constructor(open: OpenDocuments) {
    this.#questions = open(QUESTIONS);
  }

  /** Replaces the person's former question. */
  async put(question: OpenQuestion): Promise<void> {
    await this.#questions.put([{ id: idOf(question), ...question }]);
  }

  /** Expired questions included. */
  get(person: HandleId): Promise<OpenQuestion | null> {
    return this.#questions.get(idOf(person));
  }

  async remove(person: HandleId): Promise<void> {
    await this.#questions.delete({ id: idOf(person) });
  }

  /** Removes expired questions, and returns their number. */
  prune(now: EpochMs): Promise<number> {
    return this.#questions.delete({ expiresAt: { lte: now } }, { timeoutMs: LONG_CALL_MS });
  }
}

function idOf({ platform, userId }: HandleId): string {
  return `${platform}:${userId}`;
}
