/** The part of it that the benchmarks use; the package brings no types. */
declare module 'autocannon' {
  interface Options {
    readonly url: string;
    readonly connections: number;
    readonly duration?: number;
    /** Seconds that an answer may take; default 10. */
    readonly timeout?: number;
    readonly sampleInt?: number;
    readonly headers?: Readonly<Record<string, string>>;
  }

  interface Result {
    readonly requests: { readonly sent: number };
    readonly statusCodeStats: Readonly<Record<string, { readonly count: number }>>;
    readonly errors: number;
  }

  interface Run extends Promise<Result> {
    on(
      event: 'response',
      listener: (client: unknown, status: number, bytes: number, timeMs: number) => void,
    ): void;
    stop(): void;
  }

  function autocannon(options: Options): Run;
  export = autocannon;
}
