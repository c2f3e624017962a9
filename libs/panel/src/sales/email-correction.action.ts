import { EmailCorrection } from '#holders';
import type { Corrected, EmailCorrectionsService } from '#holders';
import type { MailsService } from '#tickets';
import { anyOf, ApiKey, User } from '#tenancy';
import type { TenantDb } from '#tenancy';
import { formAction, currentPanelRequest, PanelFieldError, textOf, related, relatedProperty } from '#panel-kit';
import type { FormField, PanelAction, PanelRow, PanelValue } from '#panel-kit';
import { correctionWords } from './email-correction.words.js';
import { refusable } from '../forms/refusals.js';
type Kind = 'reservation' | 'membership';
type Subject = { reservationId: string } | { membershipId: string };

/** The corrections of a record's e-mail address; absent when there are none. */
export const correctionsProperty = relatedProperty('emailCorrections');

/** The value of {@link correctionsProperty}. */
export async function correctionItems(db: TenantDb, subject: Subject): Promise<PanelValue> {
  return db.transaction(async (tx) => {
    const rows = await tx.find(EmailCorrection, { where: subject, order: { createdAt: 'DESC', id: 'DESC' }, take: 50 });
    // A separate query, because names are in the shared schema.
    const users = rows.flatMap(({ byUserId }) => byUserId ?? []);
    const keys = rows.flatMap(({ byKeyId }) => byKeyId ?? []);
    const people = users.length > 0 ? await tx.find(User, { where: { id: anyOf(users) } }) : [];
    const programs = keys.length > 0 ? await tx.find(ApiKey, { where: { id: anyOf(keys) } }) : [];
    const names = new Map([
      ...people.map(({ id, name, email }) => [id, name || email] as const),
      ...programs.map(({ id, name }) => [id, `API: ${name}`] as const),
    ]);
    const { byBuyer } = correctionWords[currentPanelRequest().language];
    return related(
      rows.map(({ oldEmail, newEmail, createdAt, byUserId, byKeyId, byBuyer: isOwn }) => ({
        title: `${oldEmail || '–'} → ${newEmail}`,
        at: createdAt.toISOString(),
        details: isOwn ? byBuyer : (names.get(byUserId ?? byKeyId ?? '') ?? ''),
      })),
    );
  });
}

/** The e-mail field in the form of an action that sends a mail. */
export function emailField(email: string): FormField {
  const words = correctionWords[currentPanelRequest().language];
  return { name: 'email', kind: 'email', label: words.email, value: email, required: true, help: words.emailHelp, longest: 254 };
}

/** Whether a form contains an address that differs from the current one; false without the field. */
export const isCorrection = ({ email }: PanelRow, present: string): boolean => email !== undefined && textOf(email).trim() !== present;

/**
 * Corrects the e-mail address of a reservation or a membership, and sends the pending mails to it.
 * @returns the key of the message for the user
 * @throws PanelFieldError
 */
export async function correct(
  { corrections, mails }: { readonly corrections: EmailCorrectionsService; readonly mails: MailsService },
  kind: Kind,
  id: string,
  { email }: PanelRow,
): Promise<string> {
  const corrected = await refusable<Corrected | undefined>(() => corrections[kind](id, textOf(email))).catch(besideEmail);
  if (!corrected) throw new PanelFieldError({}, 'error404Record');
  if (!corrected.sent) return 'corrected';
  return mails.deliver ? 'correctedSent' : 'correctedKept';
}

/** The form has one field: shows all errors there, whichever field of the record they are about. */
function besideEmail(error: unknown): never {
  if (!(error instanceof PanelFieldError)) throw error;
  const [fault] = Object.values(error.fields);
  throw fault ? new PanelFieldError({ email: fault }, error.summary) : error;
}

/** The action that corrects a record's e-mail address. */
export function correctEmailAction(
  services: { readonly corrections: EmailCorrectionsService; readonly mails: MailsService },
  kind: Kind,
  emailOf: (id: string) => Promise<string>,
  visible: (row: PanelRow) => boolean,
): PanelAction {
  return formAction({
    icon: 'AtSign',
    visible,
    form: async (id) => {
      const words = correctionWords[currentPanelRequest().language];
      const email = await emailOf(id);
      return {
        lead: [email ? words.lead[kind] : words.addLead],
        facts: [...(email ? words.facts[kind] : [words.addFact]), ...(services.mails.deliver ? [] : [words.noServer])],
        fields: [emailField(email)],
        submit: words.submit,
      };
    },
    act: async (id, values) => ({ message: await correct(services, kind, id, values) }),
  });
}
