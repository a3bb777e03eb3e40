import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export class MetricFactory {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  counter(name: string, help: string): (count?: number) => void {
    const counter = new Counter(this.#options(name, help));
    return (count) => counter.inc(count);
  }

  /** A counter with one label and known values: `{ label: values }`. Zeros are exported. */
  counterBy<Value extends string>(
    name: string,
    help: string,
    by: Readonly<Record<string, readonly Value[]>>,
  ): (value: Value, count?: number) => void {
    const [[label, values]] = Object.entries(by) as [[string, readonly Value[]]];
    const counter = this.counterOf(name, help, [label]);
    for (const value of values) counter.labels(value).inc(0);
    return (value, count) => counter.labels(value).inc(count);
  }

  counterOf(name: string, help: string, labelNames: readonly string[]): Counter {
    return new Counter(this.#options(name, help, labelNames));
  }

  gauge(name: string, help: string): (value: number) => void {
    const gauge = new Gauge(this.#options(name, help));
    return (value) => gauge.set(value);
  }

  gaugeOf(
    name: string,
    help: string,
    labelNames: readonly string[],
    collect: (gauge: Gauge) => void | Promise<void> = () => {},
  ): Gauge {
    return new Gauge({
      ...this.#options(name, help, labelNames),
      collect() {
        return collect(this);
      },
    });
  }

  /** A histogram of milliseconds, exported in seconds. `buckets`: in seconds. */
  durations(name: string, help: string, buckets: number[]): (durationMs: number) => void {
    const histogram = this.histogramOf(name, help, { labelNames: [], buckets });
    return (durationMs) => histogram.observe(durationMs / 1_000);
  }

  histogramOf(
    name: string,
    help: string,
    { labelNames, buckets }: { readonly labelNames: readonly string[]; readonly buckets: number[] },
  ): Histogram {
    return new Histogram({ ...this.#options(name, help, labelNames), buckets });
  }

  #options(name: string, help: string, labelNames: readonly string[] = []) {
    return { name: `tipoff_${name}`, help, labelNames, registers: [this.#registry] };
  }
}
