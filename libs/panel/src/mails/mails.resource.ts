import { EmailCorrectionsService } from '#holders';
import { languageNames, languages } from '#kernel';
import { MembershipsService } from '#memberships';
import { Mail, mailKinds, mailStates, MailsService, ReservationsService } from '#tickets';
import { TenantDb } from '#tenancy';
import {
  formAction,
  currentPanelRequest,
  PanelFieldError,
  entityReader,
  inEachLanguage,
  labels,
  PanelResource,
  declareProperties,
} from '#panel-kit';
import type { PanelEntry, ResourceProvider } from '#panel-kit';
import { correct, emailField, isCorrection } from '../sales/email-correction.action.js';
import { mailTones } from './mail-items.js';
import { mailTextsPage, MailTextServices } from './mail-texts.page.js';
import { mailNeedsSomebody } from './mail-trouble.reader.js';
import { formWords, words } from './mails.words.js';
import { Injectable } from '@nestjs/common';

/** A part of the note of a test mail, `<kind> <language>`. */
const exampleOf = (part: 1 | 2): string => `case when mail.kind = 'test' then split_part(mail.note, ' ', ${part}) end`;

@Injectable()
export class MailServices {
  constructor(
    readonly mails: MailsService,
    readonly corrections: EmailCorrectionsService,
    readonly reservations: ReservationsService,
    readonly memberships: MembershipsService,
  ) {}
}

/** Mails to holders and members, with their delivery state. Read-only: the text is rendered when a mail is sent. */
@PanelResource({ panels: 'tenant', position: 80, modules: ['membership', 'ticketing'] })
export class MailsResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly services: MailServices,
    private readonly mailTexts: MailTextServices,
  ) {}

  entry(): PanelEntry {
    const { db, services } = this;
    const { mails, reservations, memberships } = services;
    const declared = declareProperties(
      {
        id: { show: 10 },
        recipient: { type: 'email', isTitle: true, list: true, filter: true },
        status: { availableValues: Object.keys(mailStates), tones: mailTones, list: true, show: true, filter: true },
        kind: { availableValues: Object.keys(mailKinds), list: 3, show: true, filter: true },
        needsSomebody: { type: 'boolean', sort: false, filter: true, sql: mailNeedsSomebody },
        reservationId: { reference: 'reservations', sort: false, show: true },
        membershipId: { reference: 'memberships', sort: false, show: true },
        answer: { sort: false, list: true, show: true },
        note: { sort: false, show: true, filter: false, sql: `case when mail.kind <> 'test' then mail.note end` },
        // The note of a test mail names both.
        example: { availableValues: Object.keys(mailKinds), show: true, filter: false, sort: false, sql: exampleOf(1) },
        exampleLanguage: { availableValues: languages, show: true, filter: false, sort: false, sql: exampleOf(2) },
        attempts: { show: true, filter: false },
        createdAt: { list: 1, show: true, filter: true },
        sentAt: { show: true },
      },
      { entity: Mail, alias: 'mail' },
    );

    const reader = entityReader({
      ...declared.reading,
      open: (work) => db.transaction(work),
      sort: { by: 'createdAt', direction: 'desc' },
    });
    const nothingDue = (): PanelFieldError => new PanelFieldError({}, words[currentPanelRequest().language].messages?.['nothingDue']);
    /** The subject of a mail, with its current e-mail address. */
    const subjectOf = async (mailId: string): Promise<{ kind: 'reservation' | 'membership'; id: string; email: string }> => {
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
        properties: declared.properties,
        ...reader,
      },
      group: 'sales',
      icon: 'Mail',
      rare: true,
      ...declared.places,
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
            if (isCorrection(values, subject.email)) return { message: await correct(services, subject.kind, subject.id, values) };
            const send = subject.kind === 'membership' ? mails.resendCard(subject.id) : mails.resend(subject.id);
            if (!(await send)) throw nothingDue();
            return { message: mails.deliver ? 'resent' : 'resentKept' };
          },
        }),
      },
      pages: { mailTexts: mailTextsPage(this.mailTexts) },
      words: inEachLanguage((language) => ({
        ...words[language],
        values: {
          kind: labels(mailKinds, language),
          status: labels(mailStates, language),
          example: labels(mailKinds, language),
          exampleLanguage: languageNames(language),
        },
      })),
    };
  }
}
