import { escapeHtml } from '#kernel';
import { newPlaceFormHtml, type ShownForm } from './new-place-form.html.js';
import { newPlaceWords } from './new-place.words.js';

/** The main part of the page with the form: faults are listed above it and have the focus. */
export function newPlaceHtml(shown: ShownForm): string {
  const words = newPlaceWords[shown.language];
  return `<div class="new-place">
<h1>${escapeHtml(words.title)}</h1>
<p class="lead">${escapeHtml(words.lead)}</p>
${shown.checked ? '' : summaryHtml(words.faults(shown.faults.size), shown.faults)}<p class="hint">${escapeHtml(words.required)}</p>
${newPlaceFormHtml(shown)}
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
