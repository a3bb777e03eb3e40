#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The Node that `npm ci` installs where it can. */
const OWN_NODE = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));

if (Number.parseInt(process.versions.node, 10) >= 24) {
  // Compiled code is kept between starts, where a temporary folder can be written; a start takes two thirds of the time then.
  (await import('node:module')).enableCompileCache();
  // A checkout runs its sources, the image what was compiled from them.
  const source = new URL('../src/cli/tipoff.ts', import.meta.url);
  await import(existsSync(source) ? source : new URL('../dist/src/cli/tipoff.js', import.meta.url));
} else if (existsSync(OWN_NODE)) {
  // An older Node starts the one of the package, passes on the signals it gets, and ends as that one does.
  const child = spawn(OWN_NODE, [...process.execArgv, ...process.argv.slice(1)], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // Ctrl-C reaches both: the terminal sends it to the whole group.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
} else {
  process.stderr.write(`Tipoff needs Node 24 or newer, and this is Node ${process.versions.node}.\n`);
  process.exit(2);
}
