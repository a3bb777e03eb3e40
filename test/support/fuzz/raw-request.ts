import { Agent, request } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

const UNPACK: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  deflate: inflateSync,
};

/** Sends a request as it is: no address is tidied up, no redirect followed, only what was compressed is unpacked. */
export function createRawClient(address: string, connections: number) {
  const { hostname: host, port } = new URL(address);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    send({ method, target, headers, body }: RawRequest): Promise<RawAnswer> {
      return new Promise((resolve, reject) => {
        const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
        const sent = request(
          { agent, host, port, method, path: target, headers: { ...headers, ...length } },
          (response) => {
            const chunks: Buffer[] = [];
            response.on('data', (chunk: Buffer) => chunks.push(chunk));
            response.on('error', reject);
            response.on('end', () => {
              const bytes = Buffer.concat(chunks);
              const unpack = UNPACK[response.headers['content-encoding'] ?? ''];
              const text = (unpack === undefined || bytes.length === 0 ? bytes : unpack(bytes)).toString(
                'utf8',
              );
              resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
            });
          },
        );
        sent.on('error', reject);
        sent.end(body ?? undefined);
      });
    },
    close: () => agent.destroy(),
  };
}

export interface RawRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}
