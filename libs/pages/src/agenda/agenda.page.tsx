import { pageLimit, viewLimits } from '../event-lists/agenda-limits.js';
import { dayAfter, limitOfPage, wholeDays } from '../event-lists/whole-days.js';
import { ownPageParameters } from '../filters/agenda-query.js';
import { programmePage, type Programme } from '../programme/programme.page.js';

/** The page of the agenda of a tenant that has its own events. @param events one more than `pageLimit` when there are later ones */
export function agendaPage({ events, ...agenda }: Omit<Programme, 'parameters' | 'next'>): Promise<string> {
  const { timeZone } = agenda.tenant;
  const limit = limitOfPage(events, viewLimits[agenda.query.view ?? 'list'], pageLimit, timeZone);
  const { shown, next, isTorn } = wholeDays(events, limit, timeZone);
  // Events of a day that do not fit on one page are not shown, because the links of pages contain days only.
  const later = next && { after: isTorn ? dayAfter(next) : next };
  return programmePage({ ...agenda, parameters: ownPageParameters, events: shown, next: later || undefined });
}
