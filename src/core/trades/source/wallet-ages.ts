import { z } from 'zod';
import type { Declaration, Documents, OpenDocuments } from '../../base/documents/documents.ts';
import type { EpochMs } from '../../base/time/duration.ts';

/** Where the age of a wallet was read (detection.md, wallet age). */
export const AGE_SOURCES = ['join_date', 'profile', 'activity', 'trades'] as const;
export type AgeSource = (typeof AGE_SOURCES)[number];

/** Creation time of a wallet: the oldest that any source knows. */
export interface WalletAge {
  /** In lower case. */
  readonly wallet: string;
  readonly createdAt: EpochMs;
  readonly source: AgeSource;
}

const schema = z.strictObject({ id: z.string(), createdAt: z.int(), source: z.enum(AGE_SOURCES) });
type AgeDocument = z.infer<typeof schema>;

/** `id` is the wallet. */
const WALLET_AGES: Declaration<AgeDocument> = { kind: 'wallet_ages', schema };

/** Ages of wallets, stored permanently. */
export class WalletAges {
  readonly #documents: Documents<AgeDocument>;

  constructor(open: OpenDocuments) {
    this.#documents = open(WALLET_AGES);
  }

  async get(wallet: string): Promise<WalletAge | null> {
    const found = await this.#documents.get(wallet);
    return found && { wallet, createdAt: found.createdAt, source: found.source };
  }

  /** Replaces a younger age, and never an older one. */
  async put({ wallet, createdAt, source }: WalletAge): Promise<void> {
    await this.#documents.put([{ id: wallet, createdAt, source }], { createdAt: { gt: createdAt } });
  }
}
