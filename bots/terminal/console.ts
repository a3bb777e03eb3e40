import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/** A keyboard and where its answers are written. */
export interface Console {
  /** Whether a person types, rather than a script. */
  readonly isInteractive: boolean;
  /** What is typed, until it ends. To be read once. */
  readonly lines: AsyncIterable<string>;
  /** Resolves when it is written, rejects when it cannot be. */
  write(text: string): Promise<void>;
  /** Shows that a line is waited for. */
  prompt(text: string): Promise<void>;
  /** Ends `lines`. */
  close(): void;
}

/** A pseudo terminal when both are one; else the lines of a script, repeated in the output as if they were typed. */
export function openConsole({ input, output }: { input: Readable; output: Writable }): Console {
  const isInteractive = [input, output].every((stream) => 'isTTY' in stream && stream.isTTY === true);
  const reader = createInterface(isInteractive ? { input, output, terminal: true } : { input });
  let isOver = false;
  reader
    .on('SIGINT', () => reader.close())
    .on('close', () => {
      isOver = true;
    });
  // From here on: a line that comes before anybody listens is gone.
  const typed = reader[Symbol.asyncIterator]();
  const write = (text: string) =>
    new Promise<void>((resolve, reject) => {
      output.write(text, (error) => (error ? reject(error) : resolve()));
    });
  return {
    isInteractive,
    lines: isInteractive ? typed : repeated(typed, write),
    write,
    async prompt(text) {
      if (!isInteractive) return write(text);
      if (isOver) return;
      reader.setPrompt(text);
      reader.prompt();
    },
    close: () => reader.close(),
  };
}

async function* repeated(
  lines: AsyncIterable<string>,
  write: (text: string) => Promise<void>,
): AsyncGenerator<string> {
  for await (const line of lines) {
    await write(`${line}\n`);
    yield line;
  }
}
