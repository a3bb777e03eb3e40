import { createSocket } from 'node:dgram';
import { isIPv4 } from 'node:net';

const [HEADER_BYTES, TYPE_A, TYPE_AAAA] = [12, 1, 28];
const [NO_ERROR, NOT_THERE] = [0x8180, 0x8183];
const NAME_OF_QUESTION = [0xc0, HEADER_BYTES];

/** A DNS server on 127.0.0.1 for some names; of all others it says that they are not there. Null for a name: it is never answered. */
export async function startNameServer(names: Readonly<Record<string, readonly string[] | null>>) {
  const asked: string[] = [];
  const socket = createSocket('udp4', (query, peer) => {
    const question = questionOf(query);
    asked.push(question.name);
    const addresses = names[question.name];
    if (addresses === null) return;
    const isOfType = question.type === TYPE_A ? isIPv4 : (address: string) => !isIPv4(address);
    const records = (addresses ?? []).filter(isOfType).map(recordOf);
    const header = Buffer.alloc(HEADER_BYTES);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(addresses === undefined ? NOT_THERE : NO_ERROR, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    socket.send(Buffer.concat([header, question.bytes, ...records]), peer.port, peer.address);
  });
  await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    /** Names that were asked for, once for each kind of address. */
    asked: asked as readonly string[],
    close: () => new Promise<void>((closed) => socket.close(closed)),
  };
}

function questionOf(query: Buffer): { name: string; type: number; bytes: Buffer } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const bytes = query.subarray(HEADER_BYTES, at + 5);
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), bytes };
}

function recordOf(address: string): Buffer {
  const value = isIPv4(address) ? address.split('.').map(Number) : bytesOfIpv6(address);
  const type = isIPv4(address) ? TYPE_A : TYPE_AAAA;
  return Buffer.from([...NAME_OF_QUESTION, 0, type, 0, 1, 0, 0, 0, 60, 0, value.length, ...value]);
}

function bytesOfIpv6(address: string): number[] {
  return address.split(':').flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}
