const startedAt = performance.now();

export function progress(text: string): void {
  const at = ((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6);
  process.stderr.write(`${at} s  ${text}\n`);
}
