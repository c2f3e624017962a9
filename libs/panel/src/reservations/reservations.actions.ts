import { RefundsService, paymentMethods, venueMethods } from '#payments';
import { toCents } from '#kernel';
import { EmailCorrectionsService } from '#holders';
import { TicketDocumentsService } from '#notices';
import {
  RefusedTransition,
  AnswersService,
  HolderLinks,
  MailsService,
  ReservationChangesService,
  ReservationsService,
  WholeOrdersService,
} from '#tickets';
import type { WholeReservation } from '#tickets';
import type { Language } from '#kernel';
import type { TenantDb } from '#tenancy';
import { formAction, currentPanelRequest, mayNow, PanelFieldError, euros } from '#panel-kit';
import type { FormField, PanelAction, PanelRow } from '#panel-kit';
import { answersAction } from '../questions/answers.action.js';
import { correct, correctEmailAction, emailField, isCorrection } from '../sales/email-correction.action.js';
import { venueMethodOf } from '../box-office/sale-form.js';
import { refundedAction, refundFacts } from '../payments/payments.reader.js';
import { noteField, noteOf } from '../forms/note.js';
import { refusable } from '../forms/refusals.js';
import { givenFacts, toldFact, toRefund } from '../sales/cancelling.js';
import { passFacts, scopeOf, seenOrder, wholeOrder } from './whole-order.js';
import { formWords } from './reservations.words.js';
import { AccountOrdersService, CustomersService } from '#transfers';
import { onAccountAction } from '../transfers/account.actions.js';
import { Injectable } from '@nestjs/common';

@Injectable()
export class ReservationServices {
  constructor(
    readonly reservations: ReservationsService,
    readonly changes: ReservationChangesService,
    readonly orders: WholeOrdersService,
    readonly refunds: RefundsService,
    readonly mails: MailsService,
    readonly answers: AnswersService,
    readonly documents: TicketDocumentsService,
    readonly corrections: EmailCorrectionsService,
    readonly links: HolderLinks,
    readonly accounts: AccountOrdersService,
    readonly customers: CustomersService,
  ) {}
}

/** Options for the payment methods at the venue. */
export const methodOptions = (language: Language): { value: string; label: string }[] =>
  venueMethods.map((value) => ({ value, label: paymentMethods[value][language] }));

/** Whether the reservation's tickets are valid. */
const hasTickets = ({ status }: PanelRow): boolean => ['FA', 'P', 'PE', 'PN', 'V'].includes(String(status));

const gone = (): PanelFieldError => new PanelFieldError({}, 'error404Record');

/** The actions on one reservation. */
export function reservationActions(db: TenantDb, services: ReservationServices): Record<string, PanelAction> {
  const { reservations, changes, mails, refunds, documents } = services;
  const find = async (id: string): Promise<WholeReservation> => {
    const reservation = await reservations.find(id);
    if (!reservation) throw gone();
    return reservation;
  };
  return {
    confirm: formAction({
      icon: 'CheckCircle',
      variant: 'primary',
      visible: ({ status }) => ['R', 'U', 'F'].includes(String(status)),
      form: async (id) => {
        const { language } = currentPanelRequest();
        const words = formWords[language];
        const found = await find(id);
        const { amount, fields, lead } = scopeOf(found, await seenOrder(services.orders, found));
        const costs = toCents(amount) > 0;
        const method: FormField = { name: 'method', kind: 'choice', label: words.method, value: 'cash', options: methodOptions(language) };
        return {
          lead: [
            lead ?? (costs ? words.confirmPaid(euros(amount, language)) : words.confirmFree),
            mails.deliver ? words.ticketsSent : words.noServer,
          ],
          fields: [...fields, ...(costs ? [method] : [])],
          submit: words.confirmDo,
        };
      },
      act: async (id, { method: chosen, whole }) => {
        const [found, method] = [await find(id), venueMethodOf(chosen) ?? 'cash'];
        const cartId = wholeOrder(found, await seenOrder(services.orders, found), whole);
        if (cartId !== undefined) await refusable(() => services.orders.confirm(cartId, method));
        else if (!(await refusable(() => changes.confirm(id, method)))) throw gone();
        return { message: mails.deliver ? 'confirmed' : 'confirmedKept' };
      },
    }),
    onAccount: onAccountAction(services, async (id) => {
      const found = await reservations.find(id);
      return found ? (found.cartId ?? found.id) : undefined;
    }),
    print: {
      icon: 'Printer',
      variant: 'primary',
      visible: hasTickets,
      file: { open: 'tab', read: (id) => documents.sheetOfReservation(id) },
    },
    pdf: {
      icon: 'Download',
      visible: hasTickets,
      file: { open: 'save', read: (id) => documents.ofReservation(id) },
    },
    resend: formAction({
      icon: 'Send',
      visible: ({ status, email }) => Boolean(email) && !['C', 'R', 'U'].includes(String(status)),
      form: async (id) => {
        const { language } = currentPanelRequest();
        const words = formWords[language];
        const { email, status } = await find(id);
        const what = (status === 'F' ? words.resendConfirm : words.resendTickets)(email);
        return {
          lead: mails.deliver ? [what] : [what, words.noServer],
          fields: [emailField(email)],
          submit: words.resendDo,
        };
      },
      act: async (id, values) => {
        if (isCorrection(values, (await find(id)).email)) return { message: await correct(services, 'reservation', id, values) };
        if (!(await mails.resend(id))) throw new PanelFieldError({}, formWords[currentPanelRequest().language].nothingToSend);
        return { message: mails.deliver ? 'resent' : 'resentKept' };
      },
    }),
    correctEmail: correctEmailAction(
      services,
      'reservation',
      async (id) => (await find(id)).email,
      ({ status }) => status !== 'C',
    ),
    answers: answersAction(services.answers, 'reservationId'),
    refunded: refundedAction(db, refunds, (reservationId) => ({ reservationId })),
    cancel: formAction({
      icon: 'XCircle',
      variant: 'danger',
      visible: ({ status }) => status !== 'C',
      form: async (id) => {
        const reservation = await find(id);
        const account = await refunds.backOnAccount({ reservationId: id }, reservation.amount);
        return cancelForm(reservation, mails.deliver, account, passFacts(reservation, await seenOrder(services.orders, reservation)));
      },
      act: async (id, { note }) => {
        const words = noteOf(note);
        const cancel = () => changes.cancel(id, { reason: 'staff', paysBack: mayNow('refund.give'), ...(words && { note: words }) });
        const cancelled = await refusable(cancel);
        if (!cancelled) throw gone();
        return { message: 'cancelled', ...toRefund(cancelled) };
      },
    }),
  };
}

/** @param account what is paid back when it is on account @param ofOrder what remains of its order */
function cancelForm(
  reservation: WholeReservation,
  mailed: boolean,
  account: Awaited<ReturnType<RefundsService['backOnAccount']>>,
  ofOrder: readonly string[],
) {
  const { language } = currentPanelRequest();
  const words = formWords[language];
  const live = reservation.tickets.filter(({ status }) => status !== 'R');
  const used = live.some(({ status }) => status === 'S') ? 'scanned' : live.some(({ fulfilledAt }) => fulfilledAt) ? 'fulfilled' : null;
  if (used) return { lead: [new RefusedTransition(used, reservation.status).message], fields: [] };
  return {
    lead: [words.cancelLead],
    facts: [
      words.cancelTickets(live.length),
      ...ofOrder,
      ...refundFacts(account?.payments ?? reservation.payments, language, account?.most),
      toldFact(reservation.email, mailed, language),
      ...givenFacts(reservation, mailed, language),
    ],
    fields: [noteField(words)],
    submit: words.cancelDo,
    danger: true,
  };
}
