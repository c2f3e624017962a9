import { currentLanguage, escapeHtml } from '#kernel';
import { pageWords } from '../frame/pages.words.js';

/** A value and its label. */
export type Choice = readonly [value: string, label: string];

/** A field with its label, its help text and its fault. */
export interface Field {
  /** Name and id. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** Mark of an optional field, beside the label. */
  readonly optional?: string | undefined;
  readonly fault?: string | undefined;
}

/** Attributes of a control; undefined and false are left out, true has no value. */
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** A control on one line. @param html HTML around it, with `{}` in its place */
export function inputHtml(field: Field, attributes: Attributes, html = '{}'): string {
  // A script asks about addresses with a likely typing error.
  const doubt = attributes['type'] === 'email' ? { 'data-doubt': pageWords[currentLanguage()].doubtedAddress } : {};
  const control = `<input${written({ type: 'text', ...described(field), ...attributes, ...doubt })}>`;
  return around(
    field,
    html.replace('{}', () => control),
  );
}

export function textareaHtml(field: Field, value: string, attributes: Attributes): string {
  return around(field, `<textarea${written({ ...described(field), ...attributes })}>\n${escapeHtml(value)}</textarea>`);
}

/** @param empty the label of the empty choice; without it a choice is required */
export function selectHtml(field: Field, value: string, choices: readonly Choice[], attributes: Attributes, empty?: string): string {
  const option = ([code, label]: Choice): string =>
    `<option value="${escapeHtml(code)}"${code === value ? ' selected' : ''}>${escapeHtml(label)}</option>`;
  const options = [...(empty === undefined ? [] : [['', empty] as const]), ...choices].map(option);
  return around(field, `<select${written({ ...described(field), ...attributes })}>${options.join('')}</select>`);
}

/** One checkbox. */
export function checkboxHtml({ name, label, fault }: Field, checked: boolean, attributes: Attributes = {}): string {
  const box = written({
    type: 'checkbox',
    id: name,
    name,
    value: 'yes',
    checked,
    ...faulty(name, fault),
    ...attributes,
  });
  return (
    `<div class="field tick${fault === undefined ? '' : ' wrong'}">${faultHtml(name, fault)}<label for="${name}"><input${box}> ` +
    `<span>${escapeHtml(label)}</span></label></div>`
  );
}

/** The fault of a field as HTML; empty without one. */
export function faultHtml(name: string, fault: string | undefined): string {
  return fault === undefined ? '' : `<p class="fault" id="${name}-fault">${escapeHtml(fault)}</p>`;
}

/** Attributes of a control with a fault. */
export function faulty(name: string, fault: string | undefined): Attributes {
  return fault === undefined ? {} : { 'aria-invalid': 'true', 'aria-describedby': `${name}-fault` };
}

/** Attributes as HTML, with a space before each. */
export function written(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) =>
      value === undefined || value === false ? '' : value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`,
    )
    .join('');
}

function described({ name, hint, fault }: Field): Attributes {
  const ids = [...(fault === undefined ? [] : [`${name}-fault`]), ...(hint === undefined ? [] : [`${name}-hint`])];
  return {
    id: name,
    name,
    ...(fault !== undefined && { 'aria-invalid': 'true' }),
    ...(ids.length > 0 && { 'aria-describedby': ids.join(' ') }),
  };
}

function around({ name, label, hint, optional, fault }: Field, control: string): string {
  return `<div class="field${fault === undefined ? '' : ' wrong'}">
<label for="${name}">${escapeHtml(label)}${optional === undefined ? '' : ` <span class="optional">(${escapeHtml(optional)})</span>`}</label>
${hint === undefined ? '' : `<p class="hint" id="${name}-hint">${escapeHtml(hint)}</p>\n`}${faultHtml(name, fault)}${control}
</div>`;
}

/** A list of faults, each with a link to its field. Empty without faults. */
export function summaryHtml(title: string, faults: ReadonlyMap<string, string>): string {
  if (faults.size === 0) return '';
  const items = [...faults].map(([name, fault]) => `<li><a href="#${name}">${escapeHtml(fault)}</a></li>`);
  return `<div class="summary" role="alert" tabindex="-1" autofocus>
<h2>${escapeHtml(title)}</h2>
<ul>${items.join('')}</ul>
</div>\n`;
}

/** One sentence above a form that was not accepted, about no field of it. @param text plain text; undefined: nothing */
export function noticeHtml(text: string | undefined): string {
  return text === undefined ? '' : `<div class="summary" role="alert" tabindex="-1" autofocus><p>${escapeHtml(text)}</p></div>\n`;
}
