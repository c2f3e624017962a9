import { Mail, mailKinds, mailStates } from '#booking';
import type { Mails } from '#booking';
import type { TenantDb } from '#tenancy';
import type { PanelEntry } from '../panel-entry.js';
import { currentPanelRequest } from '../panel-request.js';
import { PanelFieldError } from '../panel-source.js';
import { entityReader } from './entity-reader.js';
import { mailTones } from './mail-items.js';
import { mailNeedsSomebody } from './mail-trouble.reader.js';
import { words } from './mails.words.js';
import { inBoth, labels } from './resource-words.js';

/** What was written to holders and members, and what became of it. Read only: the words are made when a mail is sent. */
export function mailsResource(db: TenantDb, mails: Mails): PanelEntry {
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
      resend: {
        icon: 'Send',
        guard: 'resendSure',
        visible: ({ status, kind }) =>
          (status === 'refused' || status === 'given_up' || (status === 'kept' && mails.deliver)) &&
          (kind === 'tickets' || kind === 'confirm-email' || kind === 'membership'),
        act: async (id) => {
          const done = () => ({ message: mails.deliver ? 'resent' : 'resentKept' });
          const { reservationId, membershipId } = (await reader.findOne(id)) ?? {};
          if (typeof membershipId === 'string' && (await mails.resendCard(membershipId))) return done();
          if (typeof reservationId === 'string' && (await mails.resend(reservationId))) return done();
          throw new PanelFieldError({}, words[currentPanelRequest().language].messages?.['nothingDue']);
        },
      },
    },
    words: inBoth((language) => ({
      ...words[language],
      values: { kind: labels(mailKinds, language), status: labels(mailStates, language) },
    })),
  };
}
