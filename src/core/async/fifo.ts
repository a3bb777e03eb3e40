/** First in, first out, at a constant cost a piece. */
export interface Fifo<Item> {
  push(item: Item): void;
  /** The oldest, taken out; undefined when there is none. */
  shift(): Item | undefined;
  /** The oldest, left in. */
  first(): Item | undefined;
  readonly size: number;
}

const WORTH_MOVING = 1_024;

/** An empty one. Its memory follows its size. */
export function createFifo<Item>(): Fifo<Item> {
  let items: (Item | undefined)[] = [];
  let head = 0;
  return {
    push: (item) => void items.push(item),
    first: () => items[head],
    shift() {
      if (head === items.length) return undefined;
      const item = items[head];
      items[head] = undefined;
      head += 1;
      if (head === items.length || (head >= WORTH_MOVING && head * 2 >= items.length)) {
        items = items.slice(head);
        head = 0;
      }
      return item;
    },
    get size() {
      return items.length - head;
    },
  };
}
