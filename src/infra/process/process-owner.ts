import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Scope in which a process id is unique: this boot of this host, and this container. */
const HOST_ID = [hostname(), bootId(), pidNamespace()].join('.');

export function processOwner(): string {
  return `${HOST_ID}/${process.pid}/${randomUUID()}`;
}

/** Whether the process is known to have ended; false for other scopes, of which nothing is known. */
export function isOwnerGone(owner: string): boolean {
  const [scope, pid] = owner.split('/');
  if (scope !== HOST_ID || pid === undefined) return false;
  return Number(pid) === process.pid || !isAlive(Number(pid));
}

function bootId(): string {
  return orEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
}

function pidNamespace(): string {
  return orEmpty(() => readlinkSync('/proc/self/ns/pid').replace(/\D/g, ''));
}

/** Only Linux has these files; elsewhere the host name alone is the scope. */
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
