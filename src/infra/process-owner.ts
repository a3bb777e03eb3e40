import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** A name for this process that no other ever has: host, process id and a random part. */
export function processOwner(): string {
  return `${hostname()}/${process.pid}/${randomUUID()}`;
}

/**
 * Whether the process that bears a name is known to live no more: it was on this host, and its id is free or has
 * become ours (in a container every life has the same id). Of other hosts nothing is known.
 */
export function isOwnerGone(owner: string): boolean {
  const [host, pid] = owner.split('/');
  if (host !== hostname() || pid === undefined) return false;
  return Number(pid) === process.pid || !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
