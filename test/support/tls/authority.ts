import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { bits, der, octets, oid, sequence, set, tagged, text, time, truth } from './der.ts';

export interface ServerCertificate {
  readonly key: string;
  readonly cert: string;
}

interface CertificateOptions {
  /** Host names and IPv4 addresses, as a client will ask for them. */
  readonly names: readonly string[];
  readonly expired?: boolean;
}

/** A certificate authority of one's own, made when asked for; its key is nowhere else. */
export interface Authority {
  readonly pem: string;
  issue(options: CertificateOptions): Promise<ServerCertificate>;
}

const HOUR_MS = 3_600_000;
const ECDSA_SHA256 = sequence(oid('1.2.840.10045.4.3.2'));
const SERVER = 'Tipoff test server';

export async function createAuthority(name = 'Tipoff test authority'): Promise<Authority> {
  const keys = makeKeys();
  const extensions = [
    extension('2.5.29.19', true, sequence(truth(), der(0x02, Uint8Array.of(0)))),
    // To sign certificates and lists of revoked ones.
    extension('2.5.29.15', true, bits(Uint8Array.of(0b0000_0110), 1)),
  ];
  const signed = { subject: name, issuer: name, publicKey: keys.publicKey, signingKey: keys.privateKey };
  return {
    pem: certificate({ ...signed, expired: false, extensions }),
    issue: async (options) => certify(options, { issuer: name, signingKey: keys.privateKey }),
  };
}

export async function selfSigned(options: CertificateOptions): Promise<ServerCertificate> {
  return certify(options, null);
}

/** From now on this process takes certificates of the authority, besides all others. Gives back the undoing. */
export function trust(authority: Authority): () => void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, authority.pem]);
  return () => setDefaultCACertificates(before);
}

/** For `NODE_EXTRA_CA_CERTS` of a child process: a file that holds the authority's certificate. */
export async function writeCaFile(authority: Authority): Promise<{ path: string; remove(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'tipoff-ca-'));
  const path = join(directory, 'ca.pem');
  await writeFile(path, authority.pem);
  return { path, remove: () => rm(directory, { recursive: true }) };
}

function certify(
  { names, expired = false }: CertificateOptions,
  by: { issuer: string; signingKey: KeyObject } | null,
): ServerCertificate {
  const { publicKey, privateKey } = makeKeys();
  const cert = certificate({
    subject: SERVER,
    issuer: by?.issuer ?? SERVER,
    signingKey: by?.signingKey ?? privateKey,
    publicKey,
    expired,
    extensions: [
      extension('2.5.29.19', true, sequence()),
      // To sign, as a server.
      extension('2.5.29.15', true, bits(Uint8Array.of(0b1000_0000), 7)),
      extension('2.5.29.37', false, sequence(oid('1.3.6.1.5.5.7.3.1'))),
      extension('2.5.29.17', false, sequence(...names.map(alternativeName))),
    ],
  });
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert };
}

interface Contents {
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  readonly signingKey: KeyObject;
  readonly expired: boolean;
  readonly extensions: readonly Uint8Array[];
}

/** An X.509 certificate of version 3 (RFC 5280, 4.1), in PEM. */
function certificate({ subject, issuer, publicKey, signingKey, expired, extensions }: Contents): string {
  // The time that TLS goes by, where a test has put another in the place of `Date`.
  const now = performance.timeOrigin + performance.now();
  const from = new Date(now - 48 * HOUR_MS);
  const until = new Date(expired ? now - HOUR_MS : now + 48 * HOUR_MS);
  const contents = sequence(
    tagged(0, der(0x02, Uint8Array.of(2))),
    der(0x02, Uint8Array.of(1), randomBytes(8)),
    ECDSA_SHA256,
    named(issuer),
    sequence(time(from), time(until)),
    named(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(3, sequence(...extensions)),
  );
  const signed = sequence(contents, ECDSA_SHA256, bits(sign('sha256', contents, signingKey)));
  const lines = signed.toString('base64').replace(/.{64}/g, '$&\n').trimEnd();
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

const named = (commonName: string) => sequence(set(sequence(oid('2.5.4.3'), text(commonName))));

function extension(id: string, isCritical: boolean, value: Uint8Array): Uint8Array {
  return sequence(oid(id), ...(isCritical ? [truth()] : []), octets(value));
}

function alternativeName(name: string): Uint8Array {
  return isIPv4(name)
    ? der(0x87, Uint8Array.from(name.split('.').map(Number)))
    : der(0x82, Buffer.from(name));
}

function makeKeys() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}
