import {
  type APIActionRowComponent,
  type APIButtonComponent,
  type APIComponentInMessageActionRow,
  type APIEmbed,
  type APIModalInteractionResponseCallbackData,
  type APIStringSelectComponent,
  ButtonStyle,
  ComponentType,
  TextInputStyle,
} from 'discord.js';
import { cutText } from '../../src/core/base/text/formats.ts';
import { splitBody, toMarkdown } from '../shared/formats/markdown.ts';
import { addressesAsText, type Button, plainText, type Screen } from '../shared/screen.ts';

const LIMITS = {
  content: 2_000,
  rows: 5,
  rowLength: 5,
  label: 80,
  option: 100,
  options: 25,
  url: 512,
} as const;
export const FORM_FIELD = 'text';
const FORM_LENGTH = 1_000;
const PREFIX = { tap: 'tap', menu: 'menu', ask: 'ask' } as const;

type Row = APIActionRowComponent<APIComponentInMessageActionRow>;
type Action = Extract<Button, { action: string }>;
type Link = Extract<Button, { url: string }>;

/** A message as both Discord's REST API and discord.js take it. */
export interface ScreenMessage {
  content: string;
  components: Row[];
  embeds: APIEmbed[];
}

/** The meaning of a pressed component; null for one of another bot. */
export type Press =
  | { readonly kind: 'tap'; readonly action: string }
  | { readonly kind: 'ask'; readonly action: string; readonly label: string };

export function toMessage(screen: Screen): ScreenMessage {
  return {
    content: toMarkdown(screen.body, LIMITS.content),
    components: componentsOf(screen),
    embeds: embedsOf(screen),
  };
}

/** Cut between lines so that each fits a message; a single line that does not fit is cut off. */
export function toScreens(screen: Screen): readonly Screen[] {
  const parts = splitBody(screen.body, LIMITS.content);
  const last = parts.length - 1;
  const bare = { ...screen, buttons: [], preview: null, ask: null };
  return parts.map((spans, index) => ({ ...(index === last ? screen : bare), body: [spans] }));
}

/** Discord makes an invitation of such a text, also where other addresses get no preview. */
const INVITATION = /discord(?:app)?\s*\.\s*(?:gg|com)/i;

/** The picture of the preview; none beside a text that Discord would add a preview of its own to. */
function embedsOf({ preview, body }: Screen): APIEmbed[] {
  if (preview === null || INVITATION.test(plainText({ body }))) return [];
  return [{ image: { url: preview.picture } }];
}

/** The same as plain words, addresses of buttons too, for when Discord refuses the other. */
export function toPlainMessage(screen: Screen): ScreenMessage {
  const { lines, buttons } = addressesAsText(screen.buttons);
  return {
    content: toMarkdown([[plainText(screen)], [lines]], LIMITS.content),
    components: componentsOf({ ...screen, buttons }),
    embeds: [],
  };
}

/** A component's id, or the option that was chosen in a menu. The number keeps ids in one message apart. */
export function pressOf(id: string, label: string): Press | null {
  const [, prefix, action] = /^(tap|ask)\d*:(.*)$/s.exec(id) ?? [];
  if (action === undefined) return null;
  return prefix === PREFIX.ask ? { kind: 'ask', action, label } : { kind: 'tap', action };
}

export function toForm({
  action,
  label,
}: Extract<Press, { kind: 'ask' }>): APIModalInteractionResponseCallbackData {
  const field = {
    type: ComponentType.TextInput as const,
    custom_id: FORM_FIELD,
    label: cutText(label, 45),
    style: TextInputStyle.Short,
    required: true,
    min_length: 1,
    max_length: FORM_LENGTH,
  };
  return {
    custom_id: `${PREFIX.ask}:${action}`,
    title: cutText(label, 45),
    components: [{ type: ComponentType.ActionRow, components: [field] }],
  };
}

function componentsOf({ buttons, ask }: Screen): Row[] {
  const askRow =
    ask === null
      ? []
      : [rowOf([actionButton(ask.label, ButtonStyle.Primary, `${PREFIX.ask}:${ask.action}`)])];
  const rows = buttons.flatMap((row) => chunks(row.filter(isShowable), LIMITS.rowLength));
  if (rows.length + askRow.length <= LIMITS.rows) {
    return [...rows.map((row, y) => rowOf(row.map((button, x) => toButton(button, y * 10 + x)))), ...askRow];
  }
  const all = rows.flat();
  const menus = chunks(all.filter(isAction), LIMITS.options).map((actions, index) => menuRow(actions, index));
  const links = chunks(all.filter(isLink), LIMITS.rowLength).map((row) => rowOf(row.map(linkButton)));
  return [...menus, ...links].slice(0, LIMITS.rows - askRow.length).concat(askRow);
}

function toButton(button: Button, index: number): APIButtonComponent {
  return isLink(button)
    ? linkButton(button)
    : actionButton(button.label, ButtonStyle.Secondary, `${PREFIX.tap}${index}:${button.action}`);
}

function linkButton({ label, url }: Link): APIButtonComponent {
  return { type: ComponentType.Button, style: ButtonStyle.Link, label: cutText(label, LIMITS.label), url };
}

function actionButton(
  label: string,
  style: ButtonStyle.Primary | ButtonStyle.Secondary,
  id: string,
): APIButtonComponent {
  return { type: ComponentType.Button, style, label: cutText(label, LIMITS.label), custom_id: id };
}

function menuRow(actions: readonly Action[], index: number): Row {
  const menu: APIStringSelectComponent = {
    type: ComponentType.StringSelect,
    custom_id: `${PREFIX.menu}${index}`,
    placeholder: 'Choose',
    options: actions.map(({ label, action }, at) => ({
      label: cutText(label, LIMITS.option),
      value: `${PREFIX.tap}${at}:${action}`,
    })),
  };
  return rowOf([menu]);
}

function rowOf(components: APIComponentInMessageActionRow[]): Row {
  return { type: ComponentType.ActionRow, components };
}

const isAction = (button: Button): button is Action => 'action' in button;
const isLink = (button: Button): button is Link => 'url' in button;

/** Discord refuses a whole message for an address it does not take. */
function isShowable(button: Button): boolean {
  return isAction(button) || (/^https?:\/\//.test(button.url) && button.url.length <= LIMITS.url);
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
