import { grouped } from '../core/base/text/formats.ts';
import { createTerminal, progressBar } from './terminal.ts';

const INTERRUPTED = 130;
const SHOWN_EVERY = 500;

/** Shows on the terminal how many documents were passed on, while that goes on. */
export class EntryProgress implements Disposable {
  readonly #total: number | null;
  readonly #terminal = createTerminal(process.stderr);
  #count = 0;

  /** `total`: how many there are, where that is known. */
  constructor(total: number | null = null) {
    this.#total = total;
  }

  add(count: number): void {
    const isShown = Math.floor((this.#count + count) / SHOWN_EVERY) > Math.floor(this.#count / SHOWN_EVERY);
    this.#count += count;
    if (!isShown) return;
    const bar = this.#total === null ? '' : `${progressBar(this.#count / this.#total)}  `;
    this.#terminal.progress(`${bar}${this.documents}`);
  }

  /** How many there were so far, in words. */
  get documents(): string {
    return `${grouped(this.#count)} documents`;
  }

  done(sentence: string): void {
    this.#terminal.line(sentence);
  }

  interrupted(sentence: string): void {
    this.#terminal.line(sentence);
    process.exitCode = INTERRUPTED;
  }

  /** A failure is told on a line of its own. */
  [Symbol.dispose](): void {
    this.#terminal.progress('');
  }
}
