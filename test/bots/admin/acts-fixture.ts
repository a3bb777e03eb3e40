import { actionsOf, type openConsoleFixture } from './console-fixture.ts';

export type Stand = Awaited<ReturnType<typeof openConsoleFixture>>;

/** Types the line, and confirms it when the console asks. */
export async function doIt({ type, tap }: Stand, line: string) {
  const screen = await type(line);
  return screen?.name === 'admin_confirm' ? tap(actionsOf(screen)[0] as string) : screen;
}
