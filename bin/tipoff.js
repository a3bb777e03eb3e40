#!/usr/bin/env node
import { existsSync } from 'node:fs';

if (Number.parseInt(process.versions.node, 10) < 24) {
  process.stderr.write(`Tipoff needs Node 24 or newer, and this is Node ${process.versions.node}.\n`);
  process.exit(2);
}
// A checkout runs its sources, the image what was compiled from them.
const source = new URL('../src/cli/tipoff.ts', import.meta.url);
await import(existsSync(source) ? source : new URL('../dist/src/cli/tipoff.js', import.meta.url));
