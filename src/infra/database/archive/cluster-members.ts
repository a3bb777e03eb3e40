import pLimit from 'p-limit';
import type { ArchiveSource } from './archive-source.ts';
import { TimeSlices } from './time-slices.ts';

/** Alerts of which the clusters are read in one query: some milliseconds. */
const STEP = 2_048;
const FIRST_CAPACITY = 1_024;
/** Hexadecimal digits that a double holds exactly. */
const DIGITS = 13;

/** Which clusters a wallet is a member of: 12 bytes for each member. Read from the database once, then what was added. */
export class ClusterMembers {
  readonly #source: Pick<ArchiveSource, 'members'>;
  readonly #exclusively = pLimit(1);
  #codes = new Float64Array(FIRST_CAPACITY);
  #ids = new Uint32Array(FIRST_CAPACITY);
  #length = 0;
  #upto = 0;

  constructor(source: Pick<ArchiveSource, 'members'>) {
    this.#source = source;
  }

  /** Reads the clusters up to an alert that exists. Other calls get their share in between. */
  async read(upto: number): Promise<void> {
    const slices = new TimeSlices();
    while (this.#upto < upto) {
      await this.#exclusively(() => this.#readStep(upto));
      await slices.pause();
    }
  }

  /**
   * The ids of the clusters that were read and may have the wallet as a member, ascending. Wallets whose last 13 digits are equal
   * are not distinguished.
   */
  of(wallet: string): number[] {
    const code = codeOf(wallet);
    const found = new Set<number>();
    for (let index = 0; index < this.#length; index++)
      if (this.#codes[index] === code) found.add(this.#ids[index] as number);
    return [...found];
  }

  async #readStep(upto: number): Promise<void> {
    if (this.#upto >= upto) return;
    const range = { after: this.#upto, upto: Math.min(upto, this.#upto + STEP) };
    const clusters = await this.#source.members(range);
    for (const { id, wallets } of clusters) for (const wallet of wallets) this.#add(id, codeOf(wallet));
    this.#upto = range.upto;
  }

  #add(id: number, code: number): void {
    if (this.#length === this.#ids.length) this.#grow();
    this.#codes[this.#length] = code;
    this.#ids[this.#length] = id;
    this.#length += 1;
  }

  #grow(): void {
    const [codes, ids] = [this.#codes, this.#ids];
    this.#codes = new Float64Array(2 * codes.length);
    this.#ids = new Uint32Array(2 * ids.length);
    this.#codes.set(codes);
    this.#ids.set(ids);
  }
}

/** 0 for a text that is not hexadecimal at its end. */
function codeOf(wallet: string): number {
  return Number.parseInt(wallet.replace(/^0x/, '').slice(-DIGITS), 16) || 0;
}
