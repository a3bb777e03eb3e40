import { MongoClient } from 'mongodb';
import { waitUntil } from '../wait-until.ts';
import { type OwnMongod, startMongod } from './own-mongod.ts';

export type ReplicaSet = Awaited<ReturnType<typeof startReplicaSet>>;

const ASK_MS = 2_000;
const PATIENCE_MS = 90_000;

interface ReplicaSetOptions {
  /** After so long without their primary the others elect one. */
  readonly electionTimeoutMs: number;
  /** Number of members. Default: 3. */
  readonly size?: number;
  /** Further arguments of each mongod. */
  readonly args?: readonly string[];
}

export async function startReplicaSet({ electionTimeoutMs, size = 3, args = [] }: ReplicaSetOptions) {
  const starting = Array.from({ length: size }, () => startMongod(['--replSet', 'rs', ...args]));
  const members = await Promise.all(starting);
  const stop = async () => void (await Promise.all(members.map((member) => member.stop())));
  try {
    const hosts = members.map(({ port }) => `127.0.0.1:${port}`);
    const uri = `mongodb://${hosts.join(',')}/tipoff?replicaSet=rs`;
    await initiate(members, electionTimeoutMs);
    await firstElection(uri);
    return {
      ...{ uri, members, stop },
      /** The member that takes writes, or null. Members that hang or are down are left out after 2 s. */
      primary: () => primaryAmong(members),
      /** The primary, once there is one other than `former`. */
      elected: (former?: OwnMongod) =>
        waitUntil(() => primaryAmong(members.filter((member) => member !== former)), {
          timeoutMs: PATIENCE_MS,
          what: 'a primary was elected',
        }),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function primaryAmong(members: readonly OwnMongod[]): Promise<OwnMongod | null> {
  const answers = await Promise.all(members.map(isPrimary));
  return members[answers.indexOf(true)] ?? null;
}

async function initiate(members: readonly OwnMongod[], electionTimeoutMillis: number): Promise<void> {
  const [first] = members as [OwnMongod];
  const listed = members.map(({ port }, _id) => ({ _id, host: `127.0.0.1:${port}` }));
  const replSetInitiate = { _id: 'rs', members: listed, settings: { electionTimeoutMillis } };
  await command(first, { replSetInitiate });
}

/** It is over once a write is taken. */
async function firstElection(uri: string): Promise<void> {
  const client = await MongoClient.connect(uri, { serverSelectionTimeoutMS: 30_000 });
  try {
    const probe = client.db().collection('probe');
    await probe.insertOne({}, { writeConcern: { w: 'majority' } });
  } finally {
    await client.close();
  }
}

async function isPrimary(member: OwnMongod): Promise<boolean> {
  const answer = await command(member, { hello: 1 }).catch(() => null);
  return answer?.['isWritablePrimary'] === true;
}

/** Sends an administrator's command to one member, whatever its state. */
export async function command(member: OwnMongod, document: Readonly<Record<string, unknown>>) {
  const client = new MongoClient(member.uri, {
    directConnection: true,
    serverSelectionTimeoutMS: ASK_MS,
    connectTimeoutMS: ASK_MS,
    socketTimeoutMS: ASK_MS * 10,
  });
  try {
    await client.connect();
    return await client.db('admin').command(document);
  } finally {
    await client.close();
  }
}
