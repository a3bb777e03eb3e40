import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

export const VERSION = packageVersion();
export const PRODUCT = `Tipoff/${VERSION}`;
export const USER_AGENT = `${PRODUCT} (+webhooks)`;

function packageVersion(): string {
  const path = findPackageJSON('..', import.meta.url);
  if (path === undefined) throw new Error('The package.json of this program is missing.');
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}
