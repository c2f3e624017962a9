import { isUuid } from '#kernel';
import type { EventCancellationsService, MailsService } from '#tickets';
import { Event } from '#catalogue';
import type { EventCopiesService, EventsService } from '#catalogue';
import { hasModule, type TenantDb } from '#tenancy';
import { formAction, currentPanelRequest, PanelFieldError } from '#panel-kit';
import type { PanelAction } from '#panel-kit';
import { duplicateAction } from './duplicate.action.js';
import { formWords } from './events.words.js';
import { productsField, productsFor } from '../forms/products-of-event.js';
import { cancelledWith, noteField } from '../forms/note.js';
import { refusable } from '../forms/refusals.js';
import { settleHref } from '../refunds/refunds.links.js';
import { doorHref, guestListHref } from '../door-page/door.links.js';
import { sellHref } from '../box-office/box-office.links.js';

/**
 * Whether the event is a volunteering slot (category ACT). Volunteers sign up with a product that staff chose, or with the built-in one.
 */
async function isSlot(db: TenantDb, eventId: string): Promise<boolean> {
  return (await db.transaction((tx) => tx.countBy(Event, { id: eventId, category: 'ACT' }))) > 0;
}

/** Number of reservations that a cancellation of the event cancels, and of those it keeps because a ticket was scanned or handed out. */
async function affected(db: TenantDb, eventId: string): Promise<{ live: number; kept: number }> {
  const [row] = await db.transaction((tx) =>
    tx.query<{ live: number; kept: number }[]>(
      `select count(*) filter (where not inside)::int as live, count(*) filter (where inside)::int as kept from (
         select exists (select 1 from ticket where ticket.reservation_id = reservation.id
         and (ticket.status = 'S' or ticket.fulfilled_at is not null)) as inside
         from reservation where event_id = $1 and status <> 'C' and not is_draft) as found`,
      [eventId],
    ),
  );
  return row ?? { live: 0, kept: 0 };
}

const gone = (): PanelFieldError => new PanelFieldError({}, 'error404Record');

/** The actions that publish and unpublish an event. */
function publication(events: EventsService, cancellations: EventCancellationsService): Record<string, PanelAction> {
  const publish = async (id: string, published: boolean): Promise<void> => {
    if (!(await refusable(() => events.update(id, { published })))) throw gone();
  };
  return {
    publish: {
      icon: 'Eye',
      main: true,
      visible: ({ published }) => published !== true,
      act: async (id) => {
        await publish(id, true);
        await cancellations.withdraw(id);
        return { message: 'publishedDone' };
      },
    },
    unpublish: {
      icon: 'EyeOff',
      guard: 'unpublishSure',
      visible: ({ published }) => published === true,
      act: async (id) => {
        await publish(id, false);
        return { message: 'unpublishedDone' };
      },
    },
  };
}

/** The actions on one event. */
export function eventActions(
  db: TenantDb,
  events: EventsService,
  cancellations: EventCancellationsService,
  mails: Pick<MailsService, 'deliver'>,
  copies: EventCopiesService,
): Record<string, PanelAction> {
  return {
    ...publication(events, cancellations),
    sell: {
      icon: 'ShoppingCart',
      variant: 'primary',
      visible: ({ published }) => published === true && hasModule('ticketing'),
      act: (id) => Promise.resolve({ redirect: sellHref(id) }),
    },
    door: {
      icon: 'Activity',
      main: true,
      visible: () => hasModule('scanning'),
      act: (id) => Promise.resolve({ redirect: doorHref(id) }),
    },
    guests: {
      icon: 'Users',
      main: true,
      visible: () => hasModule('scanning') && !currentPanelRequest().support,
      act: (id) => Promise.resolve({ redirect: guestListHref(id) }),
    },
    refunds: {
      icon: 'CornerUpLeft',
      main: true,
      visible: ({ refundsDue }) => Number(refundsDue) > 0,
      act: (id) => Promise.resolve({ redirect: settleHref(id) }),
    },
    products: formAction({
      icon: 'ShoppingBag',
      // The list of linked products contains the link to this action.
      menu: false,
      inForm: true,
      form: async (id) => {
        const words = formWords[currentPanelRequest().language];
        const products = await productsFor(db, id);
        const slot = (await isSlot(db, id)) ? [words.volunteeringLead] : [];
        if (products.length === 0) return { lead: [words.noProducts, ...slot], fields: [] };
        return {
          lead: [words.productsLead, ...slot],
          fields: [productsField(products)],
          submit: words.productsDo,
        };
      },
      act: async (id, { productIds }) => {
        const chosen = [productIds ?? []].flat().filter(isUuid);
        if (!(await refusable(() => events.setProducts(id, chosen)))) throw gone();
        return { message: 'productsDone' };
      },
    }),
    duplicate: duplicateAction(copies),
    cancel: formAction({
      icon: 'XCircle',
      variant: 'danger',
      // Also without reservations: guests may have read of it.
      visible: ({ bookings, published }) => (Number(bookings) > 0 || published === true) && hasModule('ticketing'),
      form: async (id) => {
        const words = formWords[currentPanelRequest().language];
        const { live, kept } = await affected(db, id);
        return {
          lead: [words.cancelLead],
          facts: [
            words.cancelUnpublished,
            words.cancelReservations(live),
            mails.deliver ? words.cancelMailed : words.cancelNotMailed,
            words.cancelMoney,
            ...(kept > 0 ? [words.cancelKept(kept)] : []),
          ],
          fields: [noteField(words)],
          submit: words.cancelDo,
          danger: true,
        };
      },
      act: async (id, { note }) => {
        if (!(await refusable(() => cancellations.cancel(id, cancelledWith(note))))) throw gone();
        return { message: 'cancelled' };
      },
    }),
  };
}
