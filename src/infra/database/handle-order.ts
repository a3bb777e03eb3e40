import { type Handle, PLATFORMS } from '../../core/customers/customer.ts';

/** Sorts handles by the order of `PLATFORMS`, then by user id. */
export function byPlatform(a: Handle, b: Handle): number {
  const places = PLATFORMS.indexOf(a.platform) - PLATFORMS.indexOf(b.platform);
  return places === 0 ? Number(a.userId > b.userId) - Number(a.userId < b.userId) : places;
}
