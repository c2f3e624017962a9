import { createHash } from 'node:crypto';
import { isUuid, fromCents, toCents } from '#kernel';
import { paymentMethods } from '#payments';
import type { RefundsService } from '#payments';
import { formAction, formView, currentPanelRequest, PanelFieldError, textOf, euros } from '#panel-kit';
import type { PanelAction, PanelPage, PanelFilter, PanelRow, PanelSource } from '#panel-kit';
import { handMethod, settleAs, settlementFields } from '../payments/payments.reader.js';
import { formWords } from './refunds.words.js';
/** Maximum number of refunds to tick in the form, so that it stays usable; the next ones follow after it is sent. */
const mostAtOnce = 100;
/** Maximum number of refunds that are settled together. */
const mostOfAll = 10_000;

const canSettle = ({ state }: PanelRow): boolean => state === 'by_hand' || state === 'trouble';

function lineOf({ amount, method, holder, event }: PanelRow): string {
  const { language } = currentPanelRequest();
  const how = paymentMethods[method as keyof typeof paymentMethods][language];
  return [euros(textOf(amount), language), how, holder, event].filter(Boolean).join(' · ');
}

const sumOf = (rows: readonly PanelRow[]): string =>
  euros(fromCents(rows.reduce((sum, { amount }) => sum + toCents(textOf(amount)), 0)), currentPanelRequest().language);

/** The actions on one refund. */
export function refundActions(source: Pick<PanelSource, 'findOne'>, refunds: RefundsService): Record<string, PanelAction> {
  return {
    settle: formAction({
      icon: 'CornerUpLeft',
      variant: 'primary',
      visible: canSettle,
      form: async (id) => {
        const row = await source.findOne(id);
        const words = formWords[currentPanelRequest().language];
        if (!row || !canSettle(row)) return { lead: [words.nothingDue], fields: [] };
        const method = handMethod({ method: row['method'] as keyof typeof paymentMethods });
        return { lead: [words.settleLead], facts: [lineOf(row)], fields: settlementFields(method), submit: words.settleDo };
      },
      act: async (id, values) => {
        await settleAs(refunds, [id], values);
        return { message: 'settled' };
      },
    }),
    retry: {
      icon: 'RefreshCw',
      visible: ({ state }) => state === 'trouble' || state === 'online',
      act: async (id) => {
        if ((await refunds.retry([id])) === 0) throw new PanelFieldError({}, formWords[currentPanelRequest().language].nothingDue);
        return { message: 'retried' };
      },
    },
  };
}

/** The refunds to make by hand of one event and of one payment method, or of all, the oldest first. */
async function dueByHand(
  source: Pick<PanelSource, 'find'>,
  { event, method }: Readonly<Record<'event' | 'method', unknown>>,
): Promise<PanelRow[]> {
  const filter: PanelFilter = {
    due: { kind: 'equals', value: true },
    ...(isUuid(event) && { eventId: { kind: 'equals', value: event } }),
    ...(typeof method === 'string' && Object.hasOwn(paymentMethods, method) && { method: { kind: 'equals', value: method } }),
  };
  const rows = await source.find({ filter, sort: { by: 'createdAt', direction: 'asc' }, limit: mostOfAll, offset: 0 });
  return rows.filter(canSettle);
}

/** Names exactly these refunds, so that *all of them* never means one that the page did not show. */
const markOf = (rows: readonly PanelRow[]): string =>
  createHash('sha256')
    .update(
      rows
        .map(({ id }) => textOf(id))
        .toSorted()
        .join(),
    )
    .digest('base64url');

/** The page that settles several refunds at once: all of one event, or those that are ticked. */
export function settlePage(source: Pick<PanelSource, 'find'>, refunds: RefundsService): PanelPage {
  const wordsNow = () => formWords[currentPanelRequest().language];
  /** The ids of everything that the page counted. */
  const allShown = async (values: PanelRow): Promise<string[]> => {
    const rows = await dueByHand(source, { event: values['ofEvent'], method: values['ofMethod'] });
    if (markOf(rows) !== values['shown']) throw new PanelFieldError({}, wordsNow().changed);
    return rows.map(({ id }) => textOf(id));
  };
  const ticked = (values: PanelRow): string[] => {
    const chosen = [values['ids'] ?? []].flat().filter(isUuid);
    if (chosen.length === 0) throw new PanelFieldError({ ids: { message: wordsNow().chooseSome } });
    if (chosen.length > mostAtOnce) throw new PanelFieldError({ ids: { message: wordsNow().tooMany } });
    return chosen;
  };
  return {
    icon: 'CheckSquare',
    component: 'ActionForm',
    variant: 'primary',
    keepsFilter: true,
    view: async ({ 'filters.eventId': event, 'filters.method': method }) => {
      const words = wordsNow();
      const rows = await dueByHand(source, { event, method });
      if (rows.length === 0) return formView({ lead: [words.noneByHand], fields: [] });
      return formView({
        lead: [words.settleSome(rows.length, sumOf(rows))],
        fields: [
          { name: 'ofEvent', kind: 'hidden', label: '', value: isUuid(event) ? event : '' },
          { name: 'ofMethod', kind: 'hidden', label: '', value: typeof method === 'string' ? method : '' },
          { name: 'shown', kind: 'hidden', label: '', value: markOf(rows) },
          {
            name: 'scope',
            kind: 'choice',
            label: words.scope,
            value: isUuid(event) ? 'all' : 'some',
            options: [
              { value: 'all', label: words.all(rows.length, sumOf(rows)) },
              { value: 'some', label: words.some },
            ],
          },
          {
            name: 'ids',
            kind: 'checks',
            label: words.which,
            help: words.whichHelp,
            options: rows.slice(0, mostAtOnce).map((row) => ({ value: textOf(row['id']), label: lineOf(row) })),
            when: { field: 'scope', values: ['some'] },
          },
          ...settlementFields(),
        ],
        submit: words.settleDo,
      });
    },
    act: async (values) => {
      const chosen = values['scope'] === 'all' ? await allShown(values) : ticked(values);
      const settled = await settleAs(refunds, chosen, values);
      return { message: settled.length === chosen.length ? 'settledAll' : 'settledSome' };
    },
  };
}
