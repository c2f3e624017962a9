import { EmailCorrection } from '#booking';
import type { Corrected, EmailCorrectionsService, MailsService } from '#booking';
import { anyOf, ApiKey, User } from '#tenancy';
import type { TenantDb } from '#tenancy';
import { formAction, currentPanelRequest, PanelFieldError, textOf, related, relatedProperty } from '#panel-kit';
import type { FormField, PanelAction, PanelRow, PanelValue } from '#panel-kit';
import { correctionWords } from './email-correction.words.js';
import { refusable } from '../forms/refusals.js';
type Kind = 'reservation' | 'membership';
type Subject = { reservationId: string } | { membershipId: string };

/** Who corrected the address, and when; nothing where nobody did. */
export const correctionsProperty = relatedProperty('emailCorrections');

/** The value of {@link correctionsProperty}. */
export async function correctionItems(db: TenantDb, subject: Subject): Promise<PanelValue> {
  return db.transaction(async (tx) => {
    const rows = await tx.find(EmailCorrection, { where: subject, order: { createdAt: 'DESC', id: 'DESC' }, take: 50 });
    // Names are in the shared schema: a step of its own.
    const users = rows.flatMap(({ byUserId }) => byUserId ?? []);
    const keys = rows.flatMap(({ byKeyId }) => byKeyId ?? []);
    const people = users.length > 0 ? await tx.find(User, { where: { id: anyOf(users) } }) : [];
    const programs = keys.length > 0 ? await tx.find(ApiKey, { where: { id: anyOf(keys) } }) : [];
    const names = new Map([
      ...people.map(({ id, name, email }) => [id, name || email] as const),
      ...programs.map(({ id, name }) => [id, `API: ${name}`] as const),
    ]);
    return related(
      rows.map(({ oldEmail, newEmail, createdAt, byUserId, byKeyId }) => ({
        title: `${oldEmail || '–'} → ${newEmail}`,
        at: createdAt.toISOString(),
        details: names.get(byUserId ?? byKeyId ?? '') ?? '',
      })),
    );
  });
}

/** The field for the address in the form of an action that sends something. */
export function emailField(email: string): FormField {
  const words = correctionWords[currentPanelRequest().language];
  return { name: 'email', kind: 'email', label: words.email, value: email, required: true, help: words.emailHelp, longest: 254 };
}

/** Whether a form was sent with another address than the present one; without the field nothing is corrected. */
export const isCorrection = ({ email }: PanelRow, present: string): boolean => email !== undefined && textOf(email).trim() !== present;

/**
 * Corrects the address of a reservation or a membership, and sends what is due there.
 * @returns the key of the message about it
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

/** The form has one field: what is refused is told beside it, whichever of the record's it is about. */
function besideEmail(error: unknown): never {
  if (!(error instanceof PanelFieldError)) throw error;
  const [fault] = Object.values(error.fields);
  throw fault ? new PanelFieldError({ email: fault }, error.summary) : error;
}

/** The action that corrects the address of a record. */
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
