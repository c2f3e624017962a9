import { RefundsService } from '#payments';
import { TicketDocumentsService } from '#notices';
import { MailsService, ReservationChangesService, ReservationsService, TicketsService } from '#tickets';
import { FulfilmentsService, ScanService } from '#scan';
import { formAction, currentPanelRequest, PanelFieldError, textOf } from '#panel-kit';
import type { PanelAction, PanelRow } from '#panel-kit';
import { refusable } from '../forms/refusals.js';
import { refundFacts } from '../payments/payments.reader.js';
import { toldFact, toRefund } from '../sales/cancelling.js';
import { formWords } from './tickets.words.js';
import { Injectable } from '@nestjs/common';

@Injectable()
export class TicketServices {
  constructor(
    readonly tickets: TicketsService,
    readonly reservations: ReservationsService,
    readonly changes: ReservationChangesService,
    readonly scan: ScanService,
    readonly fulfilments: FulfilmentsService,
    readonly documents: TicketDocumentsService,
    readonly mails: MailsService,
    readonly refunds: RefundsService,
  ) {}
}

/** The actions on one ticket. */
export function ticketActions(
  find: (id: string) => Promise<PanelRow | null>,
  { tickets, reservations, changes, scan, fulfilments, documents, mails, refunds }: TicketServices,
): Record<string, PanelAction> {
  const gone = (): PanelFieldError => new PanelFieldError({}, 'error404Record');
  const found = async (id: string): Promise<PanelRow> => {
    const row = await find(id);
    if (!row) throw gone();
    return row;
  };
  const staff = (): { id: string; name: string } => {
    const { user } = currentPanelRequest();
    if (!user) throw gone();
    return { id: user.id, name: user.name || user.email };
  };
  const reasonField = (words: (typeof formWords)['en']) =>
    ({
      name: 'reason',
      kind: 'text',
      label: words.reason,
      help: words.reasonHelp,
      required: true,
      longest: 500,
    }) as const;
  return {
    fulfil: formAction({
      icon: 'Gift',
      variant: 'primary',
      visible: ({ status }) => status === 'due',
      form: async (id) => {
        const words = formWords[currentPanelRequest().language];
        const { price, holder } = await found(id);
        return { lead: [words.fulfilLead(textOf(price), textOf(holder))], fields: [], submit: words.fulfilDo };
      },
      act: async (id) => {
        await refusable(() => fulfilments.fulfilByStaff(id, staff()));
        return { message: 'fulfilled' };
      },
    }),
    undoFulfil: formAction({
      icon: 'RotateCcw',
      visible: ({ status }) => status === 'done',
      form: () => {
        const words = formWords[currentPanelRequest().language];
        return Promise.resolve({
          lead: [words.undoFulfilLead],
          fields: [reasonField(words)],
          submit: words.undoFulfilDo,
        });
      },
      act: async (id, { reason }) => {
        const isCancelled = await refusable(() => fulfilments.undoByStaff(id, textOf(reason), staff()));
        return { message: isCancelled ? 'cancelled' : 'fulfilUndone' };
      },
    }),
    pdf: {
      icon: 'Download',
      visible: ({ status }) => ['K', 'S', 'due', 'done'].includes(String(status)),
      file: { open: 'save', read: (id) => documents.ofTicket(id) },
    },
    rename: formAction({
      icon: 'Edit2',
      visible: ({ status }) => status !== 'R',
      form: async (id) => {
        const { firstName, lastName } = await found(id);
        const words = formWords[currentPanelRequest().language];
        return {
          lead: [words.renameLead],
          fields: [
            { name: 'firstName', kind: 'text', label: words.firstName, value: textOf(firstName), longest: 100 },
            { name: 'lastName', kind: 'text', label: words.lastName, value: textOf(lastName), longest: 100 },
          ],
          submit: words.renameDo,
        };
      },
      act: async (id, { firstName, lastName }) => {
        if (!(await refusable(() => tickets.rename(id, textOf(firstName), textOf(lastName))))) throw gone();
        return { message: 'renamed' };
      },
    }),
    undo: formAction({
      icon: 'RotateCcw',
      visible: ({ status }) => status === 'S',
      form: async () => {
        const words = formWords[currentPanelRequest().language];
        return {
          lead: [words.undoLead],
          fields: [reasonField(words)],
          submit: words.undoDo,
        };
      },
      act: async (id, { reason }) => {
        await refusable(() => scan.undoByStaff(id, textOf(reason), staff()));
        return { message: 'undone' };
      },
    }),
    cancel: formAction({
      icon: 'XCircle',
      variant: 'danger',
      visible: ({ status }) => !['R', 'S', 'done'].includes(String(status)),
      form: async (id) => {
        const { language } = currentPanelRequest();
        const words = formWords[language];
        const { reservationId, holder } = await found(id);
        const reservation = await reservations.find(textOf(reservationId));
        if (!reservation) throw gone();
        const live = reservation.tickets.filter(({ status }) => status !== 'R');
        const own = live.find((ticket) => ticket.id === id);
        const isLast = live.length === 1;
        const name = textOf(holder) || reservation.email;
        const account = await refunds.backOnAccount({ reservationId: reservation.id }, own?.amount ?? '0.00');
        return {
          lead: [words.cancelLead],
          facts: [
            isLast ? words.cancelLast(name) : words.cancelOne(name),
            ...refundFacts(account?.payments ?? reservation.payments, language, account?.most ?? (isLast ? undefined : own?.amount)),
            toldFact(own?.holderEmail ?? reservation.email, mails.deliver, language),
          ],
          fields: [{ name: 'note', kind: 'textarea', label: words.note, help: words.noteHelp, longest: 2000 }],
          submit: words.cancelDo,
          danger: true,
        };
      },
      act: async (id, { note }) => {
        const words = textOf(note).trim().slice(0, 2000);
        const cancel = () => changes.cancelTicket(id, { reason: 'staff', ...(words && { note: words }) });
        const reservation = await refusable(cancel);
        if (!reservation) throw gone();
        return { message: 'cancelled', ...toRefund(reservation) };
      },
    }),
  };
}
