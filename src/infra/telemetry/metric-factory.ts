import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Creates the metrics of a registry, all named `tipoff_…`. */
export class MetricFactory {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Counting is an addition. */
  counter(name: string, help: string): (count?: number) => void {
    let total = 0;
    new Counter({
      ...this.#options(name, help),
      collect() {
        this.reset();
        this.inc(total);
      },
    });
    return (count = 1) => {
      total += count;
    };
  }

  /** A counter with one label and known values: `{ label: values }`. Counting is an addition, and zeros are exported. */
  counterBy<Value extends string>(
    name: string,
    help: string,
    by: Readonly<Record<string, readonly Value[]>>,
  ): (value: Value, count?: number) => void {
    const [[label, values]] = Object.entries(by) as [[string, readonly Value[]]];
    const counts = Object.fromEntries(values.map((value) => [value, 0])) as Record<Value, number>;
    new Counter({
      ...this.#options(name, help, [label]),
      collect() {
        this.reset();
        for (const value of values) this.labels(value).inc(counts[value]);
      },
    });
    return (value, count = 1) => {
      counts[value] += count;
    };
  }

  /** A counter with several labels. */
  counterOf(name: string, help: string, labelNames: readonly string[]): Counter {
    return new Counter(this.#options(name, help, labelNames));
  }

  gauge(name: string, help: string): (value: number) => void {
    const gauge = new Gauge(this.#options(name, help));
    return (value) => gauge.set(value);
  }

  /** A gauge with labels. `collect` is called before each export. */
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
    const histogram = new Histogram({ ...this.#options(name, help), buckets });
    return (durationMs) => histogram.observe(durationMs / 1_000);
  }

  #options(name: string, help: string, labelNames: readonly string[] = []) {
    return { name: `tipoff_${name}`, help, labelNames, registers: [this.#registry] };
  }
}
