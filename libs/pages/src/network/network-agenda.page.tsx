import { currentLanguage } from '#kernel';
import { pageLimit, viewLimits } from '../event-lists/agenda-limits.js';
import { limitOfPage } from '../event-lists/whole-days.js';
import { networkParameters } from '../filters/agenda-query.js';
import { networkWords } from '../filters/network.words.js';
import { programmePage, type Programme } from '../programme/programme.page.js';
import { pageOf } from './paging.js';

export interface NetworkAgenda extends Omit<Programme, 'parameters' | 'next' | 'ways'> {
  /** Whether everybody may create a place here. */
  readonly hasForm: boolean;
}

/** The agenda of a network. @param events one more than `pageLimit` when there are later ones */
export function networkAgendaPage({ events, hasForm, ...agenda }: NetworkAgenda): Promise<string> {
  const { tenant, query } = agenda;
  const words = networkWords[currentLanguage()];
  const limit = limitOfPage(events, viewLimits[query.view ?? 'list'], pageLimit, tenant.timeZone);
  const { shown, next } = pageOf(events, limit, tenant.timeZone, query);
  const ways = (
    <p class="ways">
      <a href="/places">{words.places}</a>
      {hasForm && <a href="/tenant/new/">{words.createPlace}</a>}
    </p>
  );
  return programmePage({ ...agenda, parameters: networkParameters, events: shown, next, ways });
}
