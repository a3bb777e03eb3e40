import { seededRandom } from '../../test/support/random.ts';

export class Draws {
  readonly #random: () => number;

  /** `numbers` name the part: equal numbers give the same draws, others unrelated ones. */
  constructor(...numbers: readonly number[]) {
    this.#random = seededRandom(numbers.reduce(mix, 0x811c9dc5));
  }

  chance(share: number): boolean {
    return this.#random() < share;
  }

  uniform(from: number, until: number): number {
    return from + this.#random() * (until - from);
  }

  exponential(mean: number): number {
    return -mean * Math.log(1 - this.#random());
  }

  normal(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.#random()));
    return radius * Math.cos(2 * Math.PI * this.#random());
  }
}

function mix(hash: number, number: number): number {
  let mixed = Math.imul(hash ^ number, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
