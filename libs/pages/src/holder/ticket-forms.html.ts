import { currentLanguage, escapeHtml } from '#kernel';
import { currentTenant } from '#tenancy';
import { whenHtml } from '../event-lists/event-times.js';
import { inputHtml, summaryHtml } from '../forms/form-fields.html.js';
import { pageFrame } from '../frame/page-frame.js';
import type { OpenedTicket } from './holder-access.service.js';
import { holderWords } from './holder.words.js';

/** The state of a form: what was typed, and its faults by field. */
export interface TypedForm {
  readonly typed: Readonly<Record<string, string>>;
  readonly faults: ReadonlyMap<string, string>;
}

/** The form that changes the name on a ticket. */
export function renamePage(opened: OpenedTicket, { typed, faults }: TypedForm): string {
  const words = holderWords[currentLanguage()];
  return formPage(
    opened,
    words.renameTitle,
    `<p>${escapeHtml(words.renameHint)}</p>
${summaryHtml(words.faults, faults)}<form class="sheet order" method="post" action="${escapeHtml(opened.path)}/rename" novalidate>
<div class="pair">${nameInputs(typed, faults)}</div>
<p><button class="button">${escapeHtml(words.save)}</button></p>
</form>`,
  );
}

/** A page that says why a ticket cannot be changed. */
export function refusedPage(opened: OpenedTicket, title: string, text: string): string {
  return formPage(opened, title, `<section class="step" role="alert"><p>${escapeHtml(text)}</p></section>`);
}

function nameInputs(typed: TypedForm['typed'], faults: TypedForm['faults']): string {
  const words = holderWords[currentLanguage()];
  const field = (name: string, label: string): string =>
    inputHtml({ name, label, fault: faults.get(name) }, { value: typed[name] ?? '', maxlength: 100, autocomplete: 'off' });
  return field('first_name', words.firstName) + field('last_name', words.lastName);
}

/** A page about one ticket, with the event and the way back. @param body HTML */
function formPage({ reservation, ticket, back }: OpenedTicket, title: string, body: string): string {
  const language = currentLanguage();
  const words = holderWords[language];
  const tenant = currentTenant();
  const { event } = reservation;
  const name = `${ticket.firstName} ${ticket.lastName}`.trim();
  const about = [ticket.price.product.name, ticket.price.name, name].filter(Boolean).join(' · ');
  const main = `<p class="back"><a href="${escapeHtml(back)}">← ${escapeHtml(words.back)}</a></p>
<article class="holder order-page">
<header>
<p class="kind" dir="auto">${escapeHtml(event.name)}</p>
<h1>${escapeHtml(title)}</h1>
<p>${whenHtml(event, language, tenant.timeZone)}</p>
<p class="what" dir="auto">${escapeHtml(about)}</p>
</header>
${body}
</article>`;
  return pageFrame({ tenant, language, title: `${title} · ${tenant.name}`, main, hasScript: true });
}
