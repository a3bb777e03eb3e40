/** The part of it that the benchmarks use; the package brings no types. */
declare module 'autocannon' {
  interface Request {
    headers?: Record<string, string>;
  }

  interface Options {
    readonly url: string;
    readonly connections: number;
    readonly pipelining?: number;
    /** Seconds. */
    readonly duration?: number;
    /** Requests, instead of a duration. */
    readonly amount?: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly requests?: readonly { setupRequest(request: Request): Request }[];
  }

  interface Result {
    /** Seconds. */
    readonly duration: number;
    readonly requests: { readonly total: number; readonly average: number };
    readonly statusCodeStats: Readonly<Record<string, { readonly count: number }>>;
    readonly errors: number;
    readonly non2xx: number;
  }

  function autocannon(options: Options): Promise<Result>;
  export = autocannon;
}
