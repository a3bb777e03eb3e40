import { Counter, type Registry } from 'prom-client';

/** A counter with one label and known values. Counting is an addition, and zero values are exported. */
export function labelled<Value extends string>(
  registry: Registry,
  name: string,
  help: string,
  label: string,
  values: readonly Value[],
): (value: Value, count?: number) => void {
  const counts = Object.fromEntries(values.map((value) => [value, 0])) as Record<Value, number>;
  new Counter({
    name: `tipoff_${name}`,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      this.reset();
      for (const value of values) this.labels(value).inc(counts[value]);
    },
  });
  return (value, count = 1) => {
    counts[value] += count;
  };
}
