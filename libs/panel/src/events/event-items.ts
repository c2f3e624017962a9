import { previewDays, productCategories, type EventPreviewLinks } from '#catalogue';
import { hasModule, type TenantDb } from '#tenancy';
import type { EventCancellationsService } from '#tickets';
import type { PanelRow, PanelValue } from '#panel-kit';
import { currentPanelRequest, listHref, mayNow, recordHref, related } from '#panel-kit';
import { texts } from '../locales/panel.texts.js';
import { productsFor } from '../forms/products-of-event.js';
import { formWords } from './events.words.js';

/** The progress of an event's cancellation as a text; null when the event is not cancelled. */
export async function cancellationOf(cancellations: EventCancellationsService, id: string): Promise<string | null> {
  const progress = await cancellations.progress(id);
  if (!progress) return null;
  const words = formWords[currentPanelRequest().language];
  const { left, cancelled, kept } = progress;
  const state = left > 0 ? words.cancelling(left) : words.cancelledAll(cancelled);
  return [state, kept > 0 && words.kept(kept)].filter(Boolean).join(' · ');
}

/** The page of an event, or its preview while it has none for everybody. Events of other sites have no page here. */
export function pageItems(previews: EventPreviewLinks, row: PanelRow, isCancelled: boolean): PanelValue {
  const { id, slug, published, isPrivate, sameAs } = row;
  const words = formWords[currentPanelRequest().language];
  if (sameAs) return null;
  const event = { id: String(id), slug: String(slug) };
  // As `publicEventSql`.
  const isPublic = (published === true || isCancelled) && isPrivate !== true;
  if (isPublic) return related([{ title: words.viewPage, href: `/event/${event.slug}`, isOutside: true }]);
  const details = words.previewDetails(previewDays);
  return related([{ title: words.preview, href: previews.pathTo(event), isOutside: true, details }]);
}

/** What guests booked of an event, each with what people need to see it. */
const lists = [
  { list: 'reservations', needs: 'reservation.see', names: texts.perLanguage('reservations', ({ words }) => words.plural) },
  { list: 'tickets', needs: 'ticket.see', names: texts.perLanguage('tickets.words', ({ words }) => words.plural) },
  {
    list: 'waiting-list',
    needs: ['reservation.see', 'contact.see'],
    names: texts.perLanguage('waitingList', ({ words }) => words.plural),
  },
  { list: 'payments', needs: 'payment.see', names: texts.perLanguage('payments.words', ({ words }) => words.plural) },
] as const;

const listsNow = () => (hasModule('ticketing') ? lists.filter(({ needs }) => mayNow(needs)) : []);

/** Whether the person may see something of what guests booked. */
export const hasLists = (): boolean => listsNow().length > 0;

/** Links to what guests booked of an event: the lists that the person may see, filtered by it. */
export function listItems(id: string): PanelValue {
  const { language } = currentPanelRequest();
  return related(listsNow().map(({ list, names }) => ({ title: names[language], href: listHref(list, { eventId: id }) })));
}

/** What an event sells, as links. */
export async function productItems(db: TenantDb, id: string, takesVolunteers: boolean): Promise<PanelValue> {
  const { language } = currentPanelRequest();
  const words = formWords[language];
  const sold = (await productsFor(db, id)).filter((product) => product.sold);
  const items = sold.map((product) => ({
    title: product.name,
    href: recordHref('products', product.id),
    details: productCategories[product.category][language],
  }));
  const slot = takesVolunteers && hasModule('ticketing') ? [{ title: words.volunteering, details: words.volunteeringDetails }] : [];
  const choose = { href: recordHref('events', id, 'products'), label: words.chooseProducts };
  return related([...slot, ...items], hasModule('ticketing') || sold.length > 0 ? choose : undefined);
}
