import { escapeHtml } from '#kernel';
import { summaryHtml } from '#page-kit';
import { newPlaceFormHtml, type ShownForm } from './new-place-form.html.js';
import { newPlaceWords } from './new-place.words.js';

/** The main part of the page with the form: faults are listed above it and have the focus. */
export function newPlaceHtml(shown: ShownForm): string {
  const words = newPlaceWords[shown.language];
  const approval = shown.approval ? `<p>${escapeHtml(words.approval)}</p>\n` : '';
  const summary = shown.checked ? '' : summaryHtml(words.faults(shown.faults.size), shown.faults);
  return `<div class="new-place">
<h1>${escapeHtml(words.title)}</h1>
<p class="lead">${escapeHtml(words.lead)}</p>
${approval}${summary}<p class="hint">${escapeHtml(words.required)}</p>
${newPlaceFormHtml(shown)}
</div>`;
}
