import { DAY_MS, SECOND_MS } from '../../base/time/duration.ts';
import { COSTS, type Costs } from './costs.ts';

/** The load that a service must handle. Every count is 0 or more. */
export interface Demand {
  readonly database: 'mongodb' | 'sqlite';
  /** Sockets of the stream that are open at once. */
  readonly clients: number;
  /** Requests in the busiest second. */
  readonly requestsPerSecond: number;
  /** Share of the requests that search, 0 to 1. The others ask for the latest alerts. */
  readonly searchShare: number;
  readonly alertsPerDay: number;
  readonly webhooks: number;
  /** Channels of chat platforms in which every alert is posted. */
  readonly channels: number;
  readonly keys: number;
}

/** The processes of a role. */
export interface RoleNeed {
  readonly role: 'all' | 'api' | 'deliver' | 'ingest' | 'bots' | 'jobs';
  readonly processes: number;
  /** Processor time of all of them per second, in seconds. */
  readonly cores: number;
  /** Memory of all of them. */
  readonly memoryBytes: number;
}

/** A resource that more processes do not increase. */
export interface Part {
  readonly name: string;
  readonly used: number;
  readonly limit: number;
  readonly unit: string;
}

/** What the demand needs, and which limit is reached first. */
export interface Capacity {
  readonly roles: readonly RoleNeed[];
  /** Processor time of mongod per second, in seconds; 0 on SQLite. */
  readonly mongodCores: number;
  readonly databaseBytes: { readonly after30Days: number; readonly after365Days: number };
  /** The fullest first. */
  readonly parts: readonly Part[];
}

/** The assumptions of `capacityOf`. */
export const ASSUMED = {
  /**
   * Share of a core that a process may use at the peak, so that it answers without queueing and another can take over its work.
   */
  load: 0.5,
  /** Alerts in the busiest minute, as a multiple of the average. */
  peak: 10,
  /** Trades of the market, judged per second. */
  rowsPerSecond: 38,
  /** Sockets of a process; `MAX_CONNECTIONS` allows 10,000, including requests. */
  socketsPerProcess: 8_000,
  /** Deliveries in flight in a process (`DELIVERY_QUEUE_LIMITS`), when a receiver takes half a second to answer. */
  deliveriesPerSecond: 2_048,
  mongodCores: 4,
  /** Telegram's limit per channel (core.telegram.org/bots/faq). */
  postsPerMinute: 20,
  /** The largest archive that was measured. */
  archiveAlerts: 10_000_000,
};

const DAY_SECONDS = DAY_MS / SECOND_MS;
const DELIVERY_DAYS = 7;
const MICRO = 1e-6;

/** What a service needs for the demand. A greater demand never gives a smaller result. `costs`: replaced in tests. */
export function capacityOf(demand: Demand, costs: Costs = COSTS): Capacity {
  return new Plan(demand, costs).capacity();
}

/** Pieces of work per second, at the peak. */
type Work = Partial<Record<keyof Costs['work'], number>>;

class Plan {
  readonly #demand: Demand;
  readonly #costs: Costs;
  readonly #work: ReturnType<typeof workOf>;

  constructor(demand: Demand, costs: Costs) {
    this.#demand = demand;
    this.#costs = costs;
    this.#work = workOf(demand);
  }

  capacity(): Capacity {
    const isSqlite = this.#demand.database === 'sqlite';
    const roles = isSqlite ? [this.#oneProcess()] : this.#roles();
    const processes = sum(roles.map((role) => role.processes));
    const mongodCores = isSqlite ? 0 : this.#coresOfAll(processes, 'mongod');
    return {
      roles,
      mongodCores,
      databaseBytes: { after30Days: this.#databaseBytes(30), after365Days: this.#databaseBytes(365) },
      parts: this.#parts(roles, mongodCores),
    };
  }

  /** Processor time of the work, in seconds. */
  #cores(work: Work, of: 'mongod' | Demand['database'] = this.#demand.database): number {
    const { work: costs } = this.#costs;
    return sum(Object.entries(work).map(([name, count]) => count * costs[name as keyof Work][of])) * MICRO;
  }

  #roles(): readonly RoleNeed[] {
    const { clients, channels } = this.#demand;
    const { sizes } = this.#costs;
    const { api, deliver } = this.#work;
    const rest = this.#cores({ processSecond: 1 });
    const forCores = (work: Work) => Math.ceil(this.#cores(work) / (ASSUMED.load - rest));
    const processes = {
      api: Math.max(1, forCores(api), Math.ceil(clients / ASSUMED.socketsPerProcess)),
      deliver: Math.max(forCores(deliver), Math.ceil(deliver.delivery / ASSUMED.deliveriesPerSecond)),
      ...{ ingest: 1, bots: Math.min(1, channels), jobs: 1 },
    };
    const ofApi = processes.api * this.#archiveBytes() + clients * sizes.socket.memory;
    const memory = { api: ofApi, deliver: 0, ingest: sizes.detector.memory, bots: 0, jobs: 0 };
    return (['api', 'deliver', 'ingest', 'bots', 'jobs'] as const).map((role) => ({
      role,
      processes: processes[role],
      cores: this.#cores(this.#work[role]) + processes[role] * rest,
      memoryBytes: processes[role] * sizes.process.memory + memory[role],
    }));
  }

  /** SQLite serves one process, with all roles. */
  #oneProcess(): RoleNeed {
    const { process, detector, socket } = this.#costs.sizes;
    const ofClients = this.#demand.clients * socket.memory;
    return {
      role: 'all',
      processes: 1,
      cores: this.#coresOfAll(1),
      memoryBytes: process.memory + detector.memory + this.#archiveBytes() + ofClients,
    };
  }

  #archiveBytes(): number {
    return this.#demand.alertsPerDay * 365 * this.#costs.sizes.alert.memory;
  }

  #coresOfAll(processes: number, of?: 'mongod'): number {
    const roles: readonly Work[] = [...Object.values(this.#work), { processSecond: processes }];
    return sum(roles.map((work) => this.#cores(work, of)));
  }

  #databaseBytes(days: number): number {
    const { database, alertsPerDay, webhooks, keys } = this.#demand;
    const { alert, delivery, key, journal } = this.#costs.sizes;
    return (
      journal[database] +
      alertsPerDay * days * alert[database] +
      alertsPerDay * webhooks * Math.min(days, DELIVERY_DAYS) * delivery[database] +
      keys * key[database]
    );
  }

  #parts(roles: readonly RoleNeed[], mongodCores: number): readonly Part[] {
    const { database, clients, channels, alertsPerDay } = this.#demand;
    const coresOf = (wanted: RoleNeed['role']) => roles.find(({ role }) => role === wanted)?.cores ?? 0;
    const own =
      database === 'mongodb'
        ? [
            part('the one process that ingests', coresOf('ingest'), 1, 'core'),
            part('the processor of mongod', mongodCores, ASSUMED.mongodCores, 'cores'),
          ]
        : [
            part('the processor of the one process', coresOf('all'), 1, 'core'),
            part('the sockets of the one process', clients, ASSUMED.socketsPerProcess, 'sockets'),
          ];
    const posts = channels === 0 ? 0 : this.#work.ingest.alert * 60;
    const others = [
      part('posts in a channel of Telegram', posts, ASSUMED.postsPerMinute, 'per minute'),
      part('the archive after 365 days', alertsPerDay * 365, ASSUMED.archiveAlerts, 'alerts'),
    ];
    return [...own, ...others].toSorted((a, b) => b.used / b.limit - a.used / a.limit);
  }
}

/** Processor time of each role, without what its processes take at rest. */
function workOf({ clients, requestsPerSecond, searchShare, alertsPerDay, webhooks, channels }: Demand) {
  const alert = (alertsPerDay / DAY_SECONDS) * ASSUMED.peak;
  return {
    api: {
      latest: requestsPerSecond * (1 - searchShare),
      search: requestsPerSecond * searchShare,
      limitedCheck: requestsPerSecond,
      frame: alert * clients,
      socketSecond: clients,
    },
    deliver: { delivery: alert * webhooks },
    ingest: { row: ASSUMED.rowsPerSecond, alert },
    bots: { message: alert * channels },
    jobs: {},
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function part(name: string, used: number, limit: number, unit: string): Part {
  return { name, used, limit, unit };
}
