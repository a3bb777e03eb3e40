import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/** A keyboard and where its answers are written. */
export type Console = ReturnType<typeof openConsole>;

/** A pseudo terminal when both are one; else the lines of a script, repeated in the output as if they were typed. */
export function openConsole({ input, output }: { input: Readable; output: Writable }) {
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
  const lines: AsyncIterable<string> = isInteractive ? typed : repeated(typed, write);
  return {
    /** Whether a person types, rather than a script. */
    isInteractive,
    /** What is typed, until it ends. To be read once. */
    lines,
    /** Resolves when it is written, rejects when it cannot be. */
    write,
    /** Shows that a line is waited for. */
    async prompt(text: string): Promise<void> {
      if (!isInteractive) return write(text);
      if (isOver) return;
      reader.setPrompt(text);
      reader.prompt();
    },
    /** Ends `lines`. */
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
