import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Where a process id means something: this host since it was started, and in a container this container. */
const HOST_ID = [hostname(), bootId(), pidNamespace()].join('.');

/** A name for this process that no other ever has: place, process id and a random part. */
export function processOwner(): string {
  return `${HOST_ID}/${process.pid}/${randomUUID()}`;
}

/**
 * Whether the process that bears a name is known to live no more: it was in this place, and its id is free or has
 * become ours. Of other places nothing is known.
 */
export function isOwnerGone(owner: string): boolean {
  const [place, pid] = owner.split('/');
  if (place !== HOST_ID || pid === undefined) return false;
  return Number(pid) === process.pid || !isAlive(Number(pid));
}

function bootId(): string {
  return orEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
}

function pidNamespace(): string {
  return orEmpty(() => readlinkSync('/proc/self/ns/pid').replace(/\D/g, ''));
}

/** Only Linux tells; elsewhere the host's name has to do. */
function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
