import { freePort } from '../../test/support/mongod/own-mongod.ts';
import { type ServiceProcess, startService } from '../../test/support/service-process.ts';

export class Member {
  readonly name: string;
  readonly address: string;
  readonly #settings: Readonly<Record<string, string>>;
  #service: ServiceProcess | null = null;
  #earlierOutput = '';

  private constructor(name: string, port: number, settings: Readonly<Record<string, string>>) {
    this.name = name;
    this.address = `http://127.0.0.1:${port}`;
    this.#settings = { ...settings, PORT: String(port) };
  }

  static async create(name: string, settings: Readonly<Record<string, string>>): Promise<Member> {
    return new Member(name, await freePort(), settings);
  }

  get output(): string {
    return this.#earlierOutput + (this.#service?.output() ?? '');
  }

  get isRunning(): boolean {
    const child = this.#service?.child;
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  start(): void {
    this.#earlierOutput = this.output;
    this.#service = startService(this.#settings);
  }

  async logged(message: string): Promise<void> {
    await this.#running().logged(message);
  }

  end(signal: NodeJS.Signals): Promise<number | null> {
    return this.#running().end(signal);
  }

  async killAndRestart(): Promise<void> {
    await this.end('SIGKILL');
    this.start();
  }

  /** It stands still, with its connections open (SIGSTOP), until `SIGCONT`. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#running().child.kill(signal);
  }

  #running(): ServiceProcess {
    if (this.#service === null) throw new Error(`${this.name} was never started`);
    return this.#service;
  }
}
