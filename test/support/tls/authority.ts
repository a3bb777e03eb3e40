import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import * as x509 from '@peculiar/x509';

/** What a TLS server shows, both in PEM. */
export interface ServerCertificate {
  readonly key: string;
  readonly cert: string;
}

interface CertificateOptions {
  /** Host names and IP addresses, as a client will ask for them. */
  readonly names: readonly string[];
  /** It ended an hour ago. */
  readonly expired?: boolean;
}

/** A certificate authority of one's own, made when asked for; its key is nowhere else. */
export interface Authority {
  readonly pem: string;
  issue(options: CertificateOptions): Promise<ServerCertificate>;
}

const HOUR_MS = 3_600_000;
const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const { KeyUsageFlags } = x509;

export async function createAuthority(name = 'Tipoff test authority'): Promise<Authority> {
  const keys = await makeKeys();
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    keys,
    signingAlgorithm: EC,
    ...validity(false),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });
  return {
    pem: root.toString('pem'),
    issue: (options) => certify(options, { issuer: root.subject, signingKey: keys.privateKey }),
  };
}

/** A certificate that no authority signed. */
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

async function certify(
  options: CertificateOptions,
  by: { issuer: string; signingKey: webcrypto.CryptoKey } | null,
): Promise<ServerCertificate> {
  const keys = await makeKeys();
  const subject = 'CN=Tipoff test server';
  const cert = await x509.X509CertificateGenerator.create({
    subject,
    issuer: by?.issuer ?? subject,
    signingKey: by?.signingKey ?? keys.privateKey,
    publicKey: keys.publicKey,
    signingAlgorithm: EC,
    ...validity(options.expired === true),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        options.names.map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value })),
      ),
    ],
  });
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { key: x509.PemConverter.encode(pkcs8, 'PRIVATE KEY'), cert: cert.toString('pem') };
}

function validity(expired: boolean): { notBefore: Date; notAfter: Date } {
  // The time that TLS goes by, where a test has put another in the place of `Date`.
  const now = performance.timeOrigin + performance.now();
  return {
    notBefore: new Date(now - 48 * HOUR_MS),
    notAfter: new Date(expired ? now - HOUR_MS : now + 48 * HOUR_MS),
  };
}

function makeKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(EC, true, ['sign', 'verify']) as Promise<webcrypto.CryptoKeyPair>;
}
