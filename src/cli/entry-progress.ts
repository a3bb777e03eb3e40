import { grouped } from '../core/base/text/formats.ts';
import { createTerminal, progressBar } from './terminal.ts';

const INTERRUPTED = 130;
const SHOWN_EVERY = 500;

/** Shows on the terminal how many documents and rows were passed on. */
export class EntryProgress {
  readonly #total: number | null;
  readonly #terminal = createTerminal(process.stderr);
  count = 0;

  /** `total`: how many there are, where that is known. */
  constructor(total: number | null = null) {
    this.#total = total;
  }

  add(count: number): void {
    const isShown = Math.floor((this.count + count) / SHOWN_EVERY) > Math.floor(this.count / SHOWN_EVERY);
    this.count += count;
    if (!isShown) return;
    const bar = this.#total === null ? '' : `${progressBar(this.count / this.#total)}  `;
    this.#terminal.progress(`${bar}${grouped(this.count)} documents and rows`);
  }

  done(sentence: string): void {
    this.#terminal.line(sentence);
  }

  interrupted(sentence: string): void {
    this.#terminal.line(sentence);
    process.exitCode = INTERRUPTED;
  }
}
