import { recordHref } from '#panel-kit';
import type { Language } from '#kernel';
import type { UnbookableReason } from '#selling';
import { texts } from '../locales/panel.texts.js';

const words = texts.perLanguage('unbookable', ({ words }) => words);

/** Why nobody can book an event, and the page of the panel where that is changed. */
export function unbookableNote(eventId: string, reason: UnbookableReason, language: Language): { text: string; href: string } {
  return { text: words[language][reason], href: hrefOf(eventId, reason) };
}

function hrefOf(eventId: string, reason: UnbookableReason): string {
  if (reason === 'no_payment') return recordHref('profile', 'profile', 'shop');
  if (reason === 'no_places' || reason === 'postponed' || reason === 'sold_out') return recordHref('events', eventId, 'edit');
  return reason === 'no_price' ? recordHref('events', eventId, 'products') : recordHref('events', eventId);
}
