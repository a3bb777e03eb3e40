import type { z } from 'zod';

export interface Setting<Value> {
  readonly variable: string;
  readonly schema: z.ZodType<Value, string>;
  /** As it would be written in the environment; null: not set, and the value is null. */
  readonly default: string | null;
  /** Null: no document lists it. */
  readonly meaning: string | null;
}

export interface SettingTree {
  readonly [name: string]: Setting<unknown> | SettingTree;
}

export type Values<Tree> =
  Tree extends Setting<infer Value> ? Value : { readonly [Name in keyof Tree]: Values<Tree[Name]> };

type Environment = Readonly<Record<string, string | undefined>>;

export function setting<Value>(
  variable: string,
  schema: z.ZodType<Value, string>,
  fallback: string,
  meaning: string,
): Setting<Value> {
  return { variable, schema, default: fallback, meaning };
}

export function optional<Value>(
  variable: string,
  schema: z.ZodType<Value, string>,
  meaning: string,
): Setting<Value | null> {
  return { variable, schema, default: null, meaning };
}

/** Where others are reached: tests and a few operators set it, and no document lists it. */
export function foreignAddress(
  variable: string,
  schema: z.ZodType<string, string>,
  fallback: string,
): Setting<string> {
  return { variable, schema, default: fallback, meaning: null };
}

export function settingsOf(tree: SettingTree): readonly Setting<unknown>[] {
  return Object.values(tree).flatMap((node) => (isSetting(node) ? [node] : settingsOf(node)));
}

/** Reads each setting; an empty variable is not set. `problems`: a line for each refused value. */
export function readSettings<Tree extends SettingTree>(tree: Tree, environment: Environment) {
  const problems: string[] = [];
  const values = mapSettings(tree, ({ variable, schema, default: fallback }) => {
    const text = environment[variable] || fallback;
    if (text === null) return null;
    const { data, error } = schema.safeParse(text);
    for (const { message } of error?.issues ?? []) problems.push(`${variable}: ${message}`);
    return data;
  });
  return { values: values as Values<Tree>, problems };
}

function mapSettings(tree: SettingTree, read: (setting: Setting<unknown>) => unknown): object {
  return Object.fromEntries(
    Object.entries(tree).map(([name, node]) => [
      name,
      isSetting(node) ? read(node) : mapSettings(node, read),
    ]),
  );
}

function isSetting(node: Setting<unknown> | SettingTree): node is Setting<unknown> {
  return typeof node['variable'] === 'string';
}
