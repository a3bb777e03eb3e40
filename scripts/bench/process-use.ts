/** Processor time of this process since its start, or since an earlier `process.cpuUsage()`. */
export function cpuSeconds(since?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
}

/** Bytes of the heap and of buffers that are still in use after a forced collection. */
export function heldBytes(): number {
  if (globalThis.gc === undefined) throw new Error('memory is measured with node --expose-gc');
  // Objects freed by a first collection may hold buffers that only a second one frees.
  for (let round = 0; round < 3; round++) globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
