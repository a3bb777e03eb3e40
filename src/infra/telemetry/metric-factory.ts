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
    const counters = new Map(values.map((value) => [value, counter.labels(value)]));
    for (const each of counters.values()) each.inc(0);
    return (value, count) => counters.get(value)?.inc(count);
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
    const histogram = new Histogram({ ...this.#options(name, help), buckets });
    return (durationMs) => histogram.observe(durationMs / 1_000);
  }

  #options(name: string, help: string, labelNames: readonly string[] = []) {
    return { name: `tipoff_${name}`, help, labelNames, registers: [this.#registry] };
  }
}

const NAME = 'tipoff_http_request_duration_seconds';
const BOUNDS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000];

interface Series {
  /** Answers within each bound and above the one before; the last is above all. */
  readonly counts: number[];
  sumMs: number;
}

/**
 * A histogram of answers by route and status. With that of the library a request takes 2 % more processor time: 0.35 µs, for its
 * labels.
 */
export class AnswerTimes {
  readonly #routes = new Map<string, Map<number, Series>>();

  readonly record = (route: string, status: number, durationMs: number): void => {
    const series = this.#routes.get(route)?.get(status) ?? this.#add(route, status);
    const bound = BOUNDS_MS.findIndex((limit) => durationMs <= limit);
    const place = bound < 0 ? BOUNDS_MS.length : bound;
    series.counts[place] = (series.counts[place] ?? 0) + 1;
    series.sumMs += durationMs;
  };

  render(): string {
    const lines = [...this.#routes].flatMap(([route, statuses]) =>
      [...statuses].flatMap(([status, series]) => seriesLines(`route="${route}",status="${status}"`, series)),
    );
    const help = `# HELP ${NAME} Time from the first byte of a request to the end of its answer.`;
    return [help, `# TYPE ${NAME} histogram`, ...lines, ''].join('\n');
  }

  #add(route: string, status: number): Series {
    const statuses = this.#routes.get(route) ?? new Map<number, Series>();
    const series = { counts: new Array<number>(BOUNDS_MS.length + 1).fill(0), sumMs: 0 };
    this.#routes.set(route, statuses.set(status, series));
    return series;
  }
}

function seriesLines(labels: string, { counts, sumMs }: Series): string[] {
  let total = 0;
  const buckets = counts.map((count, index) => {
    total += count;
    const bound = BOUNDS_MS[index];
    return `${NAME}_bucket{${labels},le="${bound === undefined ? '+Inf' : bound / 1_000}"} ${total}`;
  });
  return [...buckets, `${NAME}_sum{${labels}} ${sumMs / 1_000}`, `${NAME}_count{${labels}} ${total}`];
}
