import { Agent, type Dispatcher, interceptors } from 'undici';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly text: string;
}

export interface RawRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Sends a request as it is: no address is tidied up, no redirect followed, only what was compressed is unpacked. */
export function createRawClient(origin: string, connections: number) {
  const agent = new Agent({ connections });
  const client = agent.compose(interceptors.decompress({ skipErrorResponses: false }));
  return {
    async send({ target: path, ...request }: RawRequest): Promise<RawAnswer> {
      const { statusCode, headers, body } = await client.request({
        ...{ origin, path, ...request },
        method: request.method as Dispatcher.HttpMethod,
      });
      return { status: statusCode, headers, text: await body.text() };
    },
    close: () => agent.destroy(),
  };
}
