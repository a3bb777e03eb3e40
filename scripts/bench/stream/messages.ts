/** What the bench asks of a server of the stream in a process of its own, and what that answers. */
export type ServerOrder =
  | { readonly do: 'start'; readonly kind: ServerKind; readonly settings: Settings }
  /** Publishes one alert. Returns how many bytes every client is sent for it. */
  | { readonly do: 'publish' }
  /** Starts a new measurement. */
  | { readonly do: 'reset' }
  | { readonly do: 'measure' }
  | { readonly do: 'collect' };

/** Of the service; the raw server needs none. */
export type Settings = Readonly<Record<string, string>>;

export type ServerKind = 'service' | 'raw';

export interface Measured {
  /** Without what it took to write alerts to the database. */
  readonly cpuSeconds: number;
  /** The longest time the loop was late since the last reset. */
  readonly longestBlockMs: number;
  /** Resident memory at most since the last reset. */
  readonly peakMb: number;
  /** Heap and buffers in use. */
  readonly heldMb: number;
  /** Connections that are open. */
  readonly sockets: number;
}

/** Moments are milliseconds since the epoch, with fractions. */
export interface Published {
  /** How many every client is sent. */
  readonly bytes: number;
  /** When the alert was in the database, and the sending of it began. */
  readonly at: number;
}

export type ServerAnswer =
  | { readonly did: 'start'; readonly port: number }
  | ({ readonly did: 'publish' } & Published)
  | { readonly did: 'reset' | 'collect' }
  | ({ readonly did: 'measure' } & Measured);

export type ClientOrder =
  | {
      readonly do: 'connect';
      readonly port: number;
      readonly paths: readonly string[];
      readonly reads: boolean;
    }
  /** Answers once so many bytes of frames came in over all connections since the last order of this kind. */
  | { readonly do: 'expect'; readonly bytes: number };

export type ClientAnswer =
  | { readonly did: 'connect' }
  /** When the last of the bytes was there. */
  | { readonly did: 'expect'; readonly at: number };
