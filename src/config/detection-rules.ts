import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { canonicalJson } from '../core/base/text/canonical-json.ts';
import { nearestName } from '../core/base/text/nearest-name.ts';
import { UserError } from '../core/base/user-error.ts';
import { DEFAULT_RULES, type DetectionRules } from '../core/detection/rules.ts';

const positive = z.number().positive();
const count = z.number().int().positive();
const steps = z.array(z.tuple([z.number(), z.number()])).min(1);

const schema = z.strictObject({
  version: z.string().min(1).max(64),
  ignore: z.strictObject({
    priceAtMost: z.number().min(0).max(1),
    priceAtLeast: z.number().min(0).max(1),
    priceMarkets: z.boolean(),
    sports: z.boolean(),
  }),
  fresh: z.strictObject({ maxAgeDays: positive, maxMarkets: count }),
  significantUsdc: positive,
  accumulator: z.strictObject({
    minBuys: count,
    minTotalUsdc: positive,
    minBoughtToSold: z.number().min(0),
    maxHedge: z.number().min(0),
  }),
  cluster: z.strictObject({
    minWallets: count,
    windowMinutes: positive,
    minWalletUsdc: positive,
    minTotalUsdc: positive,
  }),
  // Below 1, the same position would alert repeatedly.
  repeat: z.strictObject({ minGrowth: z.number().min(1) }),
  exits: z.strictObject({
    half: z.number().min(0).max(1),
    out: z.number().min(0).max(1),
  }),
  score: z.strictObject({
    ageSteps: steps,
    marketSteps: steps,
    toWin: z.strictObject({ points: z.number(), fromUsdc: positive, decades: positive }),
    timing: z.strictObject({
      endSteps: steps,
      volumePoints: z.number(),
      volumeShare: positive,
      minUsdc: z.number().min(0),
    }),
    accumulatorPoints: z.number(),
    clusterPoints: z.number(),
  }),
  memory: z.strictObject({
    wallets: count,
    positions: count,
    markets: count,
    fills: count,
    retiredWallets: count,
    clusters: count,
    buysPerCluster: count,
    followed: count,
  }),
  record: z.strictObject({ startsAt: z.iso.date() }),
}) satisfies z.ZodType<DetectionRules, unknown>;

/**
 * Loads the detection rules: the defaults, overridden by a JSON file. Changed rules without a version of their own get
 * the default version and a hash of all rules, so that every alert names its rules. The plan of the record is hashed only
 * if it is changed: rules from before there was one keep their version.
 */
export async function loadRules(file: string | null): Promise<DetectionRules> {
  if (file === null) return DEFAULT_RULES;
  const changes = await readJson(file);
  const merged = merge(DEFAULT_RULES, changes);
  const parsed = schema.safeParse(merged);
  if (!parsed.success) {
    const problems = parsed.error.issues.flatMap(problemsOf);
    throw new UserError(
      `${file} does not match the schema of the detection rules.\n${problems.map((line) => `  ${line}`).join('\n')}`,
    );
  }
  if (Object.hasOwn(changes, 'version')) return parsed.data;
  const { record, ...detection } = parsed.data;
  const isDefaultPlan = canonicalJson(record) === canonicalJson(DEFAULT_RULES.record);
  const hashed = JSON.stringify(isDefaultPlan ? detection : parsed.data);
  const digest = createHash('sha256').update(hashed).digest('hex').slice(0, 8);
  return { ...parsed.data, version: `${DEFAULT_RULES.version}+${digest}` };
}

/** One line for each problem of an issue. An unknown name is shown with the nearest one of its part. */
function problemsOf(issue: z.core.$ZodIssue): readonly string[] {
  const path = issue.path.map(String);
  if (issue.code !== 'unrecognized_keys') return [`${path.join('.') || 'rules'}: ${issue.message}`];
  const names = namesIn(path);
  return issue.keys.map((key) => {
    const nearest = nearestName(key, names, key.length / 2);
    const hint = nearest === null ? `known are ${names.join(', ')}` : `did you mean ${nearest}?`;
    return `${[...path, key].join('.')}: there is no such rule; ${hint}`;
  });
}

function namesIn(path: readonly string[]): readonly string[] {
  let part: object = DEFAULT_RULES;
  for (const name of path) part = (part as Record<string, object>)[name] ?? {};
  return Object.keys(part);
}

async function readJson(file: string): Promise<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (isObject(value)) return value;
  } catch (error) {
    throw new UserError(`${file} cannot be read as JSON: ${(error as Error).message}`);
  }
  throw new UserError(`${file} must hold a JSON object like {"significantUsdc": 2000}`);
}

function merge(base: object, changes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(changes)) {
    const under = merged[name];
    merged[name] = isObject(under) && isObject(value) ? merge(under, value) : value;
  }
  return merged;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
