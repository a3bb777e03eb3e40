import { z } from 'zod';
import type { Declaration, Documents, OpenDocuments } from '../base/documents/documents.ts';
import type { EpochMs } from '../base/time/duration.ts';

/**
 * A wallet whose address pages, posts and chat replace by “a hidden wallet”. REST, frames, webhooks and the log state it. Its
 * alerts stay and are counted.
 */
export interface HiddenWallet {
  /** In lower case. */
  readonly wallet: string;
  /** For the operator; null without one. */
  readonly reason: string | null;
  readonly at: EpochMs;
}

const schema = z.strictObject({ id: z.string(), reason: z.string().nullable(), at: z.int() });

/** `id` is the wallet. */
const HIDDEN_WALLETS: Declaration<z.infer<typeof schema>> = { kind: 'hidden_wallets', schema };

/** The wallets that operators have hidden: few. */
export class HiddenWallets {
  readonly #documents: Documents<z.infer<typeof schema>>;

  constructor(open: OpenDocuments) {
    this.#documents = open(HIDDEN_WALLETS);
  }

  /** Hides a wallet, and returns its row: the earlier one where it was hidden already. */
  async add({ wallet, reason, at }: HiddenWallet): Promise<HiddenWallet> {
    await this.#documents.insertMissing([{ id: wallet, reason, at }]);
    const found = await this.#documents.get(wallet);
    return { wallet, reason: found?.reason ?? reason, at: found?.at ?? at };
  }

  /** Shows a wallet again; false where it was not hidden. */
  async remove(wallet: string): Promise<boolean> {
    return (await this.#documents.delete({ id: wallet })) === 1;
  }

  /** By address, ascending. */
  async list(): Promise<readonly HiddenWallet[]> {
    const found = await this.#documents.find({ order: 'id' });
    return found.map(({ id: wallet, reason, at }) => ({ wallet, reason, at }));
  }
}

/** The addresses of the hidden wallets. */
export async function hiddenAddresses(store: Pick<HiddenWallets, 'list'>): Promise<ReadonlySet<string>> {
  return new Set((await store.list()).map(({ wallet }) => wallet));
}
