import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

interface PeerSettings {
  /** Path of the SQLite file. */
  readonly file: string;
  /** By the SHA-256 of a key in hexadecimal, its tier: these count as verified before. */
  readonly tiers: Readonly<Record<string, string>>;
  /** What its route of ready bytes sends. */
  readonly readyText: string;
}

export const PEER_SKIPPED = 'skipped: FastAPI (python3-fastapi, python3-uvicorn) is not installed';

/** Debian's packages are of its own Python, which another may hide. */
const PYTHONS = ['python3', '/usr/bin/python3'];
const VERSIONS = `
import platform, fastapi, uvicorn
from importlib.util import find_spec
loop = "uvloop" if find_spec("uvloop") else "asyncio"
parser = "httptools" if find_spec("httptools") else "h11"
print(f"FastAPI {fastapi.__version__} (uvicorn {uvicorn.__version__}, {loop}, {parser}, Python {platform.python_version()})")`;

/** The same endpoints in FastAPI under uvicorn, one process, over the same SQLite file (peer/app.py). */
export type PeerProcess = Awaited<ReturnType<typeof start>>;

/** Null where FastAPI or uvicorn is not installed. */
export async function startPeer(settings: PeerSettings): Promise<PeerProcess | null> {
  for (const python of PYTHONS) {
    const versions = await versionsOf(python);
    if (versions !== null) return start(python, versions, settings);
  }
  return null;
}

async function versionsOf(python: string): Promise<string | null> {
  try {
    return (await promisify(execFile)(python, ['-c', VERSIONS])).stdout.trim();
  } catch {
    return null;
  }
}

async function start(python: string, versions: string, { file, tiers, readyText }: PeerSettings) {
  const options = ['--app-dir', join(import.meta.dirname, 'peer'), '--port', '0', '--no-access-log'];
  const child = spawn(python, ['-m', 'uvicorn', 'app:app', ...options], {
    env: {
      ...process.env,
      PYTHONDONTWRITEBYTECODE: '1',
      PEER_DATABASE: file,
      PEER_KEYS: JSON.stringify(tiers),
      PEER_READY_TEXT: readyText,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const closed = once(child, 'close');
  const address = await addressOf(createInterface({ input: child.stderr }));
  return {
    name: versions,
    address,
    cpuSeconds: async () => ((await (await fetch(`${address}/cpu`)).json()) as { seconds: number }).seconds,
    async [Symbol.asyncDispose]() {
      child.kill();
      await closed;
    },
  };
}

/** uvicorn says it on stderr once it listens. */
function addressOf(lines: ReturnType<typeof createInterface>): Promise<string> {
  const said: string[] = [];
  return new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      said.push(line);
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
      if (address !== undefined) resolve(address);
    });
    lines.on('close', () => reject(new Error(`uvicorn ended before it listened:\n${said.join('\n')}`)));
  });
}
