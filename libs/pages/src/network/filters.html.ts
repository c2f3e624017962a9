import { eventCategories } from '#catalogue';
import { dayWords, escapeHtml, startOfDayInZone, type Language } from '#kernel';
import { agendaHref, isFiltered, type AgendaQuery } from './agenda-query.js';
import { networkWords } from './network.words.js';
import { texts } from '../locales/pages.texts.js';

/** The form of the filters, and the chosen filters with links to remove them. Works without scripts. */
export function filtersHtml(query: AgendaQuery, language: Language, timeZone: string): string {
  const words = networkWords[language];
  const field = (name: string, label: string, control: string): string =>
    `<p><label for="${name}">${escapeHtml(label)}</label>${control}</p>`;
  const day = (name: 'from' | 'to'): string => `<input type="date" id="${name}" name="${name}" value="${query[name] ?? ''}">`;
  const kinds = Object.entries(eventCategories).map(
    ([code, label]) => `<option value="${code}"${code === query.category ? ' selected' : ''}>${escapeHtml(label[language])}</option>`,
  );
  const anyKind = `<option value="">${escapeHtml(words.anyKind)}</option>`;
  const kept = (['place', 'tag'] as const).flatMap((name) =>
    query[name] === undefined ? [] : [`<input type="hidden" name="${name}" value="${escapeHtml(query[name])}">`],
  );
  return `<details class="filters"${isFiltered(query) ? ' open' : ''}>
<summary>${escapeHtml(words.search)}</summary>
<form method="get" action="/" role="search" aria-label="${escapeHtml(words.search)}">
${field('q', words.words, `<input type="search" id="q" name="q" maxlength="200" value="${escapeHtml(query.q ?? '')}">`)}
${field('category', words.kind, `<select id="category" name="category">${anyKind}${kinds.join('')}</select>`)}
${field('from', words.firstDay, day('from'))}
${field('to', words.lastDay, day('to'))}
${kept.join('')}<p><button class="button" type="submit">${escapeHtml(words.show)}</button></p>
</form>
</details>
${chosenHtml(query, language, timeZone)}`;
}

function chosenHtml(query: AgendaQuery, language: Language, timeZone: string): string {
  if (!isFiltered(query)) return '';
  const words = networkWords[language];
  const dayOf = (date: string): string => dayWords(startOfDayInZone(date, timeZone) as Date, language, timeZone);
  const chosen = {
    place: [words.place, query.place],
    tag: [words.tag, query.tag],
    category: [words.kind, query.category && eventCategories[query.category][language]],
    from: [words.firstDay, query.from && dayOf(query.from)],
    to: [words.lastDay, query.to && dayOf(query.to)],
    q: [words.words, query.q],
  } as const;
  const chips = Object.entries(chosen).flatMap(([name, [label, value]]) => {
    if (value === undefined) return [];
    const what = texts.translate(language, 'network.chosenFilter', { label, value });
    return [
      `<li><a href="${escapeHtml(agendaHref('/', query, { [name]: undefined }))}" ` +
        `aria-label="${escapeHtml(words.takeOff(what))}"><bdi>${escapeHtml(what)}</bdi> <span aria-hidden="true">×</span></a></li>`,
    ];
  });
  return (
    `<ul class="chips" aria-label="${escapeHtml(words.chosen)}">${chips.join('')}` +
    `<li><a href="/">${escapeHtml(words.showAll)}</a></li></ul>`
  );
}
