import { Mail, mailKinds, mailStates, EmailCorrections, Mails, Memberships, Reservations } from '#booking';
import { TenantDb } from '#tenancy';
import {
  formAction,
  currentPanelRequest,
  PanelFieldError,
  entityReader,
  inBoth,
  labels,
  PanelResource,
} from '#panel-kit';
import type { PanelEntry, ResourceProvider } from '#panel-kit';
import { correct, emailField, isCorrection } from '../sales/email-correction.action.js';
import { mailTones } from './mail-items.js';
import { mailNeedsSomebody } from './mail-trouble.reader.js';
import { formWords, words } from './mails.words.js';
import { Injectable } from '@nestjs/common';

@Injectable()
export class MailServices {
  constructor(
    readonly mails: Mails,
    readonly corrections: EmailCorrections,
    readonly reservations: Reservations,
    readonly memberships: Memberships,
  ) {}
}

/** What was written to holders and members, and what became of it. Read only: the words are made when a mail is sent. */
@PanelResource({ panels: 'tenant', position: 80, modules: ['membership', 'ticketing'] })
export class MailsResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly services: MailServices,
  ) {}

  entry(): PanelEntry {
    const { db, services } = this;
    const { mails, reservations, memberships } = services;
    const reader = entityReader({
      open: (work) => db.transaction(work),
      entity: Mail,
      alias: 'mail',
      columns: {
        id: 'mail.id',
        recipient: 'mail.recipient',
        kind: 'mail.kind',
        status: 'mail.status',
        needsSomebody: mailNeedsSomebody,
        reservationId: 'mail.reservationId',
        membershipId: 'mail.membershipId',
        answer: 'mail.answer',
        note: 'mail.note',
        attempts: 'mail.attempts',
        createdAt: 'mail.createdAt',
        sentAt: 'mail.sentAt',
      },
      sort: { by: 'createdAt', direction: 'desc' },
    });
    const nothingDue = (): PanelFieldError =>
      new PanelFieldError({}, words[currentPanelRequest().language].messages?.['nothingDue']);
    /** What a mail is about, with the address that it has now. */
    const subjectOf = async (
      mailId: string,
    ): Promise<{ kind: 'reservation' | 'membership'; id: string; email: string }> => {
      const { reservationId, membershipId } = (await reader.findOne(mailId)) ?? {};
      const kind = typeof membershipId === 'string' ? 'membership' : 'reservation';
      const id = String(membershipId ?? reservationId);
      const found = kind === 'membership' ? await memberships.find(id) : await reservations.find(id);
      if (!found) throw nothingDue();
      return { kind, id, email: found.email };
    };
    return {
      source: {
        id: 'mails',
        properties: [
          { name: 'id', type: 'uuid', isId: true },
          { name: 'recipient', type: 'email', isTitle: true },
          { name: 'kind', type: 'string', availableValues: Object.keys(mailKinds) },
          { name: 'status', type: 'string', availableValues: Object.keys(mailStates), tones: mailTones },
          { name: 'needsSomebody', type: 'boolean', sortable: false },
          { name: 'reservationId', type: 'reference', reference: 'reservations', sortable: false },
          { name: 'membershipId', type: 'reference', reference: 'memberships', sortable: false },
          { name: 'answer', type: 'string', sortable: false },
          { name: 'note', type: 'string', sortable: false, filterable: false },
          { name: 'attempts', type: 'number', filterable: false },
          { name: 'createdAt', type: 'datetime' },
          { name: 'sentAt', type: 'datetime' },
        ],
        ...reader,
      },
      group: 'sales',
      icon: 'Mail',
      list: ['createdAt', 'recipient', 'kind', 'status', 'answer'],
      show: ['status', 'kind', 'reservationId', 'membershipId', 'answer', 'note', 'attempts', 'createdAt', 'sentAt', 'id'], // prettier-ignore
      filter: ['recipient', 'status', 'kind', 'needsSomebody', 'createdAt'],
      sort: { by: 'createdAt', direction: 'desc' },
      actions: {
        resend: formAction({
          icon: 'Send',
          visible: ({ status, kind }) =>
            (status === 'refused' || status === 'given_up' || (status === 'kept' && mails.deliver)) &&
            (kind === 'tickets' || kind === 'confirm-email' || kind === 'membership'),
          form: async (id) => {
            const { resendLead, resendDo, noServer } = formWords[currentPanelRequest().language];
            const { email } = await subjectOf(id);
            return {
              lead: mails.deliver ? [resendLead] : [resendLead, noServer],
              fields: [emailField(email)],
              submit: resendDo,
            };
          },
          act: async (id, values) => {
            const subject = await subjectOf(id);
            if (isCorrection(values, subject.email))
              return { message: await correct(services, subject.kind, subject.id, values) };
            const send = subject.kind === 'membership' ? mails.resendCard(subject.id) : mails.resend(subject.id);
            if (!(await send)) throw nothingDue();
            return { message: mails.deliver ? 'resent' : 'resentKept' };
          },
        }),
      },
      words: inBoth((language) => ({
        ...words[language],
        values: { kind: labels(mailKinds, language), status: labels(mailStates, language) },
      })),
    };
  }
}
