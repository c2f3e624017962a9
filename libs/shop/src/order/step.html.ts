import { escapeHtml } from '#kernel';

/**
 * What comes next, as a section of a page.
 * @param lines paragraphs, plain text
 * @param more.fault why the last attempt failed, plain text; stands above the lines
 * @param more.html forms and links below the lines
 */
export function stepHtml(
  title: string,
  lines: readonly string[],
  { fault, html = [] }: { readonly fault?: string | undefined; readonly html?: readonly string[] } = {},
): string {
  const alert = fault === undefined ? [] : [`<p role="alert">${escapeHtml(fault)}</p>`];
  const parts = [...alert, ...lines.map((line) => `<p>${escapeHtml(line)}</p>`), ...html];
  return `<section class="step"><h2>${escapeHtml(title)}</h2>\n${parts.join('\n')}</section>`;
}
