import { isUuid, fromCents, toCents } from '#kernel';
import { paymentMethods } from '#payments';
import type { RefundsService } from '#payments';
import { formAction, formView, currentPanelRequest, PanelFieldError, textOf, euros } from '#panel-kit';
import type { PanelAction, PanelPage, PanelFilter, PanelRow, PanelSource } from '#panel-kit';
import { handMethod, settleAs, settlementFields } from '../payments/payments.reader.js';
import { formWords } from './refunds.words.js';
/** Maximum number of refunds in the form, so that it stays usable; the next ones follow after it is sent. */
const mostAtOnce = 100;

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

/** The page that settles several refunds at once: those of one event, or the oldest ones. */
export function settlePage(source: Pick<PanelSource, 'find'>, refunds: RefundsService): PanelPage {
  const due = async (query: Readonly<Record<string, unknown>>): Promise<PanelRow[]> => {
    const { 'filters.eventId': event, 'filters.method': method } = query;
    const filter: PanelFilter = {
      due: { kind: 'equals', value: true },
      ...(isUuid(event) && { eventId: { kind: 'equals', value: event } }),
      ...(typeof method === 'string' && Object.hasOwn(paymentMethods, method) && { method: { kind: 'equals', value: method } }),
    };
    const rows = await source.find({ filter, sort: { by: 'createdAt', direction: 'asc' }, limit: 500, offset: 0 });
    return rows.filter(canSettle).slice(0, mostAtOnce);
  };
  return {
    icon: 'CheckSquare',
    component: 'ActionForm',
    variant: 'primary',
    keepsFilter: true,
    view: async (query) => {
      const words = formWords[currentPanelRequest().language];
      const rows = await due(query);
      if (rows.length === 0) return formView({ lead: [words.noneByHand], fields: [] });
      return formView({
        lead: [words.settleSome(rows.length, sumOf(rows))],
        fields: [
          {
            name: 'ids',
            kind: 'checks',
            label: words.which,
            help: words.whichHelp,
            options: rows.map((row) => ({ value: textOf(row['id']), label: lineOf(row) })),
          },
          ...settlementFields(),
        ],
        submit: words.settleDo,
      });
    },
    act: async (values) => {
      const { language } = currentPanelRequest();
      const chosen = (Array.isArray(values['ids']) ? values['ids'] : [values['ids']]).filter(isUuid);
      if (chosen.length === 0) throw new PanelFieldError({ ids: { message: formWords[language].chooseSome } });
      if (chosen.length > mostAtOnce) throw new PanelFieldError({ ids: { message: formWords[language].tooMany } });
      const settled = await settleAs(refunds, chosen, values);
      return { message: settled.length === chosen.length ? 'settledAll' : 'settledSome' };
    },
  };
}
