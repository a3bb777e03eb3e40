import { parseArgs } from 'node:util';

type Defaults = Readonly<Record<string, string | boolean | undefined>>;

type Values<Given extends Defaults> = {
  readonly [Name in keyof Given]: Given[Name] extends boolean
    ? boolean
    : string | Extract<Given[Name], undefined>;
};

export function readOptions<Given extends Defaults>(help: string, defaults: Given): Values<Given> {
  const options = Object.entries(defaults).map(([name, value]) => {
    const type = typeof value === 'boolean' ? ('boolean' as const) : ('string' as const);
    return [name, { type, ...(value !== undefined && { default: value }) }] as const;
  });
  const { values } = parseArgs({
    options: { ...Object.fromEntries(options), help: { type: 'boolean', short: 'h' } },
  });
  if (values.help === true) {
    console.log(help);
    process.exit(0);
  }
  return values as Values<Given>;
}
