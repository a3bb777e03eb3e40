import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

/** What this program calls itself; the version is that of the package. */
export const PRODUCT = `Tipoff/${packageVersion()}`;
/** What deliveries call themselves. */
export const USER_AGENT = `${PRODUCT} (+webhooks)`;

function packageVersion(): string {
  const path = findPackageJSON('..', import.meta.url);
  if (path === undefined) throw new Error('The package.json of this program is missing.');
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}
