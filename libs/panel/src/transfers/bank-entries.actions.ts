import { isUuid } from '#kernel';
import { currentPanelRequest, euros, formAction, PanelFieldError, textOf, type PanelAction, type PanelRow } from '#panel-kit';
import type { BankEntriesService } from '#transfers';
import { noteOf } from '../forms/note.js';
import { transferForms } from './transfers.words.js';

/** An order that an entry can be assigned to. */
export interface OpenOrder {
  readonly orderId: string;
  readonly reference: string;
  readonly name: string;
  /** Decimal text. */
  readonly missing: string;
}

interface Reading {
  readonly findOne: (id: string) => Promise<PanelRow | null>;
  readonly openOrders: () => Promise<readonly OpenOrder[]>;
}

const wordsNow = () => transferForms[currentPanelRequest().language];
const isOpen = ({ state }: PanelRow): boolean => state === 'open';
const isToRefund = ({ state }: PanelRow): boolean => state === 'refund_due' || state === 'refund_ordered';
const gone = (): PanelFieldError => new PanelFieldError({}, wordsNow().settled);

/** What staff do with one entry. */
export function entryActions(entries: BankEntriesService, { findOne, openOrders }: Reading): Record<string, PanelAction> {
  const assigned = async (id: string, orderId: string): Promise<{ message: string }> => {
    const outcome = await entries.assign(id, orderId);
    if (outcome === 'gone') throw gone();
    if (outcome === 'late') throw new PanelFieldError({}, wordsNow().late);
    return { message: { paid: 'assignedPaid', part: 'assignedPart', over: 'assignedOver' }[outcome] };
  };
  const factsOf = async (id: string): Promise<string[]> => {
    const row = await findOne(id);
    const { language } = currentPanelRequest();
    return row ? [[euros(textOf(row['amount']), language), row['name'], row['text']].filter(Boolean).join(' · ')] : [];
  };
  const noteField = () => ({ name: 'note', kind: 'text' as const, label: wordsNow().note, longest: 200 });
  return {
    accept: {
      icon: 'Check',
      variant: 'primary',
      main: true,
      visible: (row) => isOpen(row) && isUuid(row['suggestedOrderId']) && row['finding'] !== 'paid' && row['finding'] !== 'twin',
      act: async (id) => {
        const row = await findOne(id);
        const orderId = row?.['suggestedOrderId'];
        if (!isUuid(orderId)) throw gone();
        return assigned(id, orderId);
      },
    },
    assign: formAction({
      icon: 'Link',
      visible: (row) => isOpen(row) && row['finding'] !== 'currency',
      form: async (id) => {
        const words = wordsNow();
        const { language } = currentPanelRequest();
        const orders = await openOrders();
        if (orders.length === 0) return { lead: [words.noOrders], facts: await factsOf(id), fields: [] };
        const options = orders.map(({ orderId, reference, name, missing }) => ({
          value: orderId,
          label: [reference, name, euros(missing, language)].filter(Boolean).join(' · '),
        }));
        const fields = [{ name: 'orderId', kind: 'select' as const, label: words.whichOrder, options, required: true }];
        return { lead: [words.assignLead], facts: await factsOf(id), fields, submit: words.assign };
      },
      act: async (id, values) => {
        const orderId = values['orderId'];
        if (!isUuid(orderId)) throw new PanelFieldError({ orderId: { message: 'fieldRequired' } });
        return assigned(id, orderId);
      },
    }),
    ignore: formAction({
      icon: 'EyeOff',
      visible: isOpen,
      form: async (id) => ({ lead: [wordsNow().ignoreLead], facts: await factsOf(id), fields: [noteField()], submit: wordsNow().ignore }),
      act: async (id, values) => {
        if (!(await entries.ignore(id, noteOf(values['note']) ?? ''))) throw gone();
        return { message: 'ignored' };
      },
    }),
    refund: formAction({
      icon: 'CornerUpLeft',
      visible: isOpen,
      form: async (id) => ({ lead: [wordsNow().refundLead], facts: await factsOf(id), fields: [noteField()], submit: wordsNow().refund }),
      act: async (id, values) => {
        if (!(await entries.refund(id, noteOf(values['note']) ?? ''))) throw gone();
        return { message: 'refundNoted' };
      },
    }),
    refunded: formAction({
      icon: 'CheckCircle',
      visible: isToRefund,
      form: async (id) => ({
        lead: [wordsNow().refundedLead],
        facts: await factsOf(id),
        fields: [noteField()],
        submit: wordsNow().refunded,
      }),
      act: async (id, values) => {
        if (!(await entries.refunded(id, noteOf(values['note']) ?? ''))) throw gone();
        return { message: 'refundedDone' };
      },
    }),
  };
}
