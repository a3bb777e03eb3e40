/** Processor time of this process since its start, or since an earlier `process.cpuUsage()`. */
export function cpuSeconds(since?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
}
