import { type RefundsService } from '#payments';
import type { EmailCorrectionsService } from '#holders';
import { renewalAmount, type MembershipRenewalsService, type MembershipsService, type WholeMembership } from '#memberships';
import type { TicketDocumentsService } from '#notices';
import { codeKey, type MailsService } from '#tickets';
import { loadQuestions, Price, type Question } from '#catalogue';
import { databaseNow, isUuid, languageNames, languages } from '#kernel';
import { currentTenant, type TenantDb } from '#tenancy';
import { formAction, formView, currentPanelRequest, PanelFieldError, textOf, euros, recordHref } from '#panel-kit';
import type { FormField, PanelAction, PanelPage } from '#panel-kit';
import { answersIn, questionField, refusableAnswers } from '../questions/answers.action.js';
import { holderLanguage, venueMethodOf } from '../box-office/sale-form.js';
import { boxOfficeRefusals } from '../box-office/box-office.words.js';
import { correctEmailAction } from '../sales/email-correction.action.js';
import { formWords } from './memberships.words.js';
import { paymentsOf, refundedAction, refundFacts } from '../payments/payments.reader.js';
import { noteField, noteOf } from '../forms/note.js';
import { refusable } from '../forms/refusals.js';
import { methodOptions } from '../reservations/reservations.actions.js';

const methodField = (): FormField => {
  const { language } = currentPanelRequest();
  return {
    name: 'paymentMethod',
    kind: 'choice',
    label: formWords[language].method,
    value: 'cash',
    options: methodOptions(language),
  };
};

/** Options for the language of a member's mails. */
const languageOptions = (): { value: string; label: string }[] =>
  languages.map((value) => ({ value, label: languageNames(currentPanelRequest().language)[value] }));

/** The membership prices on sale, and the questions of their products. */
async function pricesOnSale(
  db: TenantDb,
): Promise<{ options: { value: string; label: string }[]; isAnyFree: boolean; asked: FormField[] }> {
  const [prices, questions] = await db.transaction(async (tx): Promise<[Price[], Question[]]> => {
    const found = await tx.find(Price, {
      where: { published: true, product: { category: 'A', published: true } },
      relations: { product: true },
      order: { product: { name: 'ASC' }, amount: 'DESC', id: 'ASC' },
      take: 200,
    });
    return [found, await loadQuestions(tx, [...new Set(found.map(({ productId }) => productId))])];
  });
  const { language } = currentPanelRequest();
  const words = formWords[language];
  const costs = ({ amount, freeAmount }: Price): string => (freeAmount ? words.atLeast(euros(amount, language)) : euros(amount, language));
  const options = prices.map((price) => ({
    value: price.id,
    label: `${price.product.name} · ${price.name} · ${costs(price)}`,
  }));
  const asked = questions.map((question) => {
    const values = prices.filter(({ productId }) => productId === question.productId).map(({ id }) => id);
    return { ...questionField(question, question.id), when: { field: 'priceId', values } };
  });
  return { options, isAnyFree: prices.some(({ freeAmount }) => freeAmount), asked };
}

/** The page that creates a membership. */
export function enrolPage(db: TenantDb, memberships: MembershipsService, mails: Pick<MailsService, 'deliver'>): PanelPage {
  return {
    icon: 'UserPlus',
    component: 'ActionForm',
    variant: 'primary',
    view: async () => {
      const words = formWords[currentPanelRequest().language];
      const { options, isAnyFree, asked } = await pricesOnSale(db);
      if (options.length === 0) return formView({ lead: [words.nothingOnSale], fields: [] });
      const [only] = options.length === 1 ? options : [];
      return formView({
        fields: [
          { name: 'priceId', kind: 'select', label: words.price, required: true, options, ...(only && { value: only.value }) },
          {
            name: 'email',
            kind: 'email',
            label: words.email,
            help: mails.deliver ? words.emailHelp : words.emailKept,
            required: true,
          },
          { name: 'firstName', kind: 'text', label: words.firstName, longest: 100 },
          { name: 'lastName', kind: 'text', label: words.lastName, longest: 100 },
          { name: 'language', kind: 'choice', label: words.language, value: currentTenant().language, options: languageOptions() },
          ...(isAnyFree ? [{ name: 'amount', kind: 'text', label: words.amount, help: words.amountHelp, longest: 11 } as const] : []),
          ...asked,
          { name: 'code', kind: 'text', label: words.code, longest: 60 },
          methodField(),
        ],
        submit: words.enrolDo,
      });
    },
    act: async ({ priceId, email, firstName, lastName, amount, code, paymentMethod, language: wanted, ...more }) => {
      const { language } = currentPanelRequest();
      if (!isUuid(priceId)) throw new PanelFieldError({ priceId: { message: 'fieldRequired' } });
      const method = venueMethodOf(paymentMethod);
      if (!method) throw new PanelFieldError({ paymentMethod: { message: boxOfficeRefusals.payment[language] } });
      const { id } = await refusableAnswers(() =>
        memberships.create({
          priceId,
          email: textOf(email),
          firstName: textOf(firstName),
          lastName: textOf(lastName),
          ...holderLanguage({ language: wanted ?? null }),
          ...(textOf(amount).trim() && { amount: textOf(amount).trim() }),
          ...(textOf(code).trim() && { code: codeKey(textOf(code)) ?? '' }),
          paymentMethod: method,
          answers: answersIn(more),
          answersOptional: true,
        }),
      );
      return { message: 'enrolled', redirect: recordHref('memberships', id) };
    },
  };
}

/** The actions on one membership. */
export function membershipActions(
  db: TenantDb,
  memberships: MembershipsService,
  refunds: RefundsService,
  documents: TicketDocumentsService,
  services: { readonly corrections: EmailCorrectionsService; readonly mails: MailsService; readonly renewals: MembershipRenewalsService },
): Record<string, PanelAction> {
  const gone = (): PanelFieldError => new PanelFieldError({}, 'error404Record');
  const find = async (id: string): Promise<WholeMembership> => {
    const membership = await memberships.find(id);
    if (!membership) throw gone();
    return membership;
  };
  return {
    renew: formAction({
      icon: 'RefreshCw',
      variant: 'primary',
      visible: ({ state }) => state === 'valid' || state === 'expired',
      form: async (id) => {
        const { language } = currentPanelRequest();
        const words = formWords[language];
        const membership = await find(id);
        const { price, product, validUntil } = membership;
        const follows = validUntil !== null && validUntil > databaseNow();
        return {
          lead: [
            words.renewLead(`${product.name} · ${price.name} · ${euros(renewalAmount(membership), language)}`),
            follows ? words.renewFollows : words.renewNow,
          ],
          fields: [methodField()],
          submit: words.renewDo,
        };
      },
      act: async (id, { paymentMethod }) => {
        const renewed = await refusable(() => memberships.renew(id, venueMethodOf(paymentMethod) ?? 'cash'));
        if (!renewed) throw gone();
        return { message: 'renewed', redirect: recordHref('memberships', renewed.id) };
      },
    }),
    stopRenewal: formAction({
      icon: 'StopCircle',
      visible: ({ renewal }) => renewal === 'on',
      form: () => {
        const { stopLead, stopFact, stopDo } = formWords[currentPanelRequest().language];
        return Promise.resolve({ lead: [stopLead], facts: [stopFact], fields: [], submit: stopDo });
      },
      act: async (id) => {
        const userId = currentPanelRequest().user?.id;
        await services.renewals.stop(id, userId);
        return { message: 'renewalStopped' };
      },
    }),
    pdf: {
      icon: 'Download',
      visible: ({ state }) => state === 'valid' || state === 'coming',
      file: { open: 'save', read: (id) => documents.cardOf(id) },
    },
    correctEmail: correctEmailAction(
      services,
      'membership',
      async (id) => (await find(id)).email,
      ({ state }) => state !== 'cancelled',
    ),
    refunded: refundedAction(db, refunds, (membershipId) => ({ membershipId })),
    cancel: formAction({
      icon: 'XCircle',
      variant: 'danger',
      visible: ({ state }) => state !== 'cancelled',
      form: async (id) => {
        const { language } = currentPanelRequest();
        const words = formWords[language];
        const account = await refunds.backOnAccount({ membershipId: id }, (await find(id)).amount);
        const payments = account?.payments ?? (await paymentsOf(db, { membershipId: id }));
        return {
          lead: [words.cancelLead],
          facts: [words.cancelCard, ...refundFacts(payments, language, account?.most)],
          fields: [noteField(words)],
          submit: words.cancelDo,
          danger: true,
        };
      },
      act: async (id, { note }) => {
        const words = noteOf(note);
        if (!(await refusable(() => memberships.cancel(id, words)))) throw gone();
        return { message: 'cancelled' };
      },
    }),
  };
}
