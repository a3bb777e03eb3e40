import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

/** The version of the package. */
export const VERSION = packageVersion();
/** What this program calls itself. */
export const PRODUCT = `Tipoff/${VERSION}`;
/** What deliveries call themselves. */
export const USER_AGENT = `${PRODUCT} (+webhooks)`;

function packageVersion(): string {
  const path = findPackageJSON('..', import.meta.url);
  if (path === undefined) throw new Error('The package.json of this program is missing.');
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}
