import { DAY_MS, SECOND_MS } from '../../base/time/duration.ts';
import { apiProcessorTime } from './api-work.ts';
import { COSTS, type Costs } from './costs.ts';

/** What a service is to serve. Every count is 0 or more. */
export interface Demand {
  readonly database: 'mongodb' | 'sqlite';
  /** Sockets of the stream that are open at once. */
  readonly clients: number;
  /** In the busiest second. */
  readonly requestsPerSecond: number;
  /** Of the requests, those that search: 0 to 1. The others are for the latest alerts. */
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
  /** Of all of them. */
  readonly memoryBytes: number;
}

/** A part that more processes do not widen. */
export interface Part {
  readonly name: string;
  readonly used: number;
  readonly limit: number;
  readonly unit: string;
}

/** What the demand needs, and what ends first. */
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
  /** Share of a core that a process uses at the peak, so that it answers without waiting, and another can take its work. */
  load: 0.5,
  /** Alerts in the busiest minute, as a multiple of the average. */
  peak: 10,
  /** Trades of the market, judged per second. */
  rowsPerSecond: 38,
  /** Sockets of a process; `MAX_CONNECTIONS` allows 10,000, requests included. */
  socketsPerProcess: 8_000,
  /** In flight in a process (`DELIVERY_QUEUE_LIMITS`), when a receiver takes half a second to answer. */
  deliveriesPerSecond: 2_048,
  mongodCores: 4,
  /** Of Telegram, in a channel (core.telegram.org/bots/faq). */
  postsPerMinute: 20,
  /** The largest archive that was measured. */
  archiveAlerts: 10_000_000,
};

const DAY_SECONDS = DAY_MS / SECOND_MS;
const DELIVERY_DAYS = 7;
const MICRO = 1e-6;

/** What a service needs for the demand. No result is less for a greater demand. `costs`: others in a test. */
export function capacityOf(demand: Demand, costs: Costs = COSTS): Capacity {
  return new Plan(demand, costs).capacity();
}

/** Per second, at the peak. */
interface Flows {
  readonly latest: number;
  readonly searches: number;
  readonly alerts: number;
  readonly frames: number;
  readonly deliveries: number;
  readonly messages: number;
}

class Plan {
  readonly #demand: Demand;
  readonly #costs: Costs;
  readonly #flows: Flows;

  constructor(demand: Demand, costs: Costs) {
    this.#demand = demand;
    this.#costs = costs;
    this.#flows = flowsOf(demand);
  }

  capacity(): Capacity {
    const isSqlite = this.#demand.database === 'sqlite';
    const roles = isSqlite ? [this.#oneProcess()] : this.#roles();
    const processes = roles.reduce((sum, role) => sum + role.processes, 0);
    const mongodCores = isSqlite ? 0 : this.#mongodCores(processes);
    return {
      roles,
      mongodCores,
      databaseBytes: { after30Days: this.#databaseBytes(30), after365Days: this.#databaseBytes(365) },
      parts: this.#parts(roles, mongodCores),
    };
  }

  #micros(work: keyof Costs['work']): number {
    return this.#costs.work[work][this.#demand.database];
  }

  /** Without what processes take at rest. */
  #cores() {
    const { clients, requestsPerSecond } = this.#demand;
    const { alerts, deliveries, messages } = this.#flows;
    const ofApi = apiProcessorTime(
      {
        latest: this.#micros('latest'),
        searches: this.#micros('search'),
        frames: this.#micros('frame'),
        socketSeconds: this.#micros('socketSecond'),
        processSeconds: 0,
      },
      { ...this.#flows, socketSeconds: clients, processSeconds: 0 },
    );
    const judged = ASSUMED.rowsPerSecond * this.#micros('row');
    return {
      api: (ofApi + requestsPerSecond * this.#micros('limitedCheck')) * MICRO,
      deliver: deliveries * this.#micros('delivery') * MICRO,
      ingest: (judged + alerts * this.#micros('alert')) * MICRO,
      bots: messages * this.#micros('message') * MICRO,
      jobs: 0,
    };
  }

  #roles(): readonly RoleNeed[] {
    const { clients, channels } = this.#demand;
    const { sizes } = this.#costs;
    const cores = this.#cores();
    const rest = this.#micros('processSecond') * MICRO;
    const forCores = (used: number) => Math.ceil(used / (ASSUMED.load - rest));
    const forDeliveries = Math.ceil(this.#flows.deliveries / ASSUMED.deliveriesPerSecond);
    const processes = {
      api: Math.max(1, forCores(cores.api), Math.ceil(clients / ASSUMED.socketsPerProcess)),
      deliver: Math.max(forCores(cores.deliver), forDeliveries),
      ...{ ingest: 1, bots: Math.min(1, channels), jobs: 1 },
    };
    const ofApi = processes.api * this.#archiveBytes() + clients * sizes.socket.memory;
    const memory = { api: ofApi, deliver: 0, ingest: sizes.detector.memory, bots: 0, jobs: 0 };
    return (['api', 'deliver', 'ingest', 'bots', 'jobs'] as const).map((role) => ({
      role,
      processes: processes[role],
      cores: cores[role] + processes[role] * rest,
      memoryBytes: processes[role] * sizes.process.memory + memory[role],
    }));
  }

  /** SQLite serves one process, with all roles. */
  #oneProcess(): RoleNeed {
    const work = Object.values(this.#cores()).reduce((sum, cores) => sum + cores, 0);
    const { process, detector, socket } = this.#costs.sizes;
    const ofClients = this.#demand.clients * socket.memory;
    return {
      role: 'all',
      processes: 1,
      cores: work + this.#micros('processSecond') * MICRO,
      memoryBytes: process.memory + detector.memory + this.#archiveBytes() + ofClients,
    };
  }

  #archiveBytes(): number {
    return this.#demand.alertsPerDay * 365 * this.#costs.sizes.alert.memory;
  }

  #mongodCores(processes: number): number {
    const { latest, search, limitedCheck, alert, delivery, message, processSecond } = this.#costs.work;
    const { latest: requests, searches, alerts, deliveries, messages } = this.#flows;
    const micros =
      requests * latest.mongod +
      searches * search.mongod +
      this.#demand.requestsPerSecond * limitedCheck.mongod +
      alerts * alert.mongod +
      deliveries * delivery.mongod +
      messages * message.mongod +
      processes * processSecond.mongod;
    return micros * MICRO;
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
    const posts = channels === 0 ? 0 : this.#flows.alerts * 60;
    const others = [
      part('posts in a channel of Telegram', posts, ASSUMED.postsPerMinute, 'per minute'),
      part('the archive after 365 days', alertsPerDay * 365, ASSUMED.archiveAlerts, 'alerts'),
    ];
    return [...own, ...others].toSorted((a, b) => b.used / b.limit - a.used / a.limit);
  }
}

function flowsOf(demand: Demand): Flows {
  const { requestsPerSecond, searchShare } = demand;
  const alerts = (demand.alertsPerDay / DAY_SECONDS) * ASSUMED.peak;
  return {
    latest: requestsPerSecond * (1 - searchShare),
    searches: requestsPerSecond * searchShare,
    alerts,
    frames: alerts * demand.clients,
    deliveries: alerts * demand.webhooks,
    messages: alerts * demand.channels,
  };
}

function part(name: string, used: number, limit: number, unit: string): Part {
  return { name, used, limit, unit };
}
