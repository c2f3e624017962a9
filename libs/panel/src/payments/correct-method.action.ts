import { isUuid } from '#kernel';
import { paymentMethods, venueMethods, type MethodCorrectionsService } from '#payments';
import type { PanelAction, PanelSource } from '#panel-kit';
import { currentPanelRequest, euros, formAction, PanelFieldError, textOf } from '#panel-kit';
import { venueMethodOf } from '../box-office/sale-form.js';
import { noteOf } from '../forms/note.js';
import { hasLeft } from './payments.reader.js';
import { correctionWords } from './payments.words.js';

/** SQL: whether a payment at the venue has something left whose method can be corrected. */
export const isCorrectable = `(payment.provider = 'venue' and ${hasLeft})`;

/** The action that corrects how something was paid at the venue. Its view has the id of the new payment as `corrected`. */
export function correctMethodAction(source: Pick<PanelSource, 'findOne'>, corrections: MethodCorrectionsService): PanelAction {
  const wordsNow = () => correctionWords[currentPanelRequest().language];
  return {
    ...formAction({
      icon: 'Edit',
      visible: ({ correctable }) => correctable === true,
      form: async (id) => {
        const words = wordsNow();
        const { language } = currentPanelRequest();
        const row = await source.findOne(id);
        if (row?.['correctable'] !== true) return { lead: [words.nothingLeft], fields: [] };
        const others = venueMethods.filter((method) => method !== row['method']);
        const method = venueMethodOf(row['method']) ?? 'cash';
        return {
          lead: [words.lead],
          facts: [[euros(textOf(row['amount']), language), paymentMethods[method][language], row['holder']].filter(Boolean).join(' · ')],
          fields: [
            {
              name: 'method',
              kind: 'choice',
              label: words.method,
              required: true,
              value: others[0] ?? 'cash',
              options: others.map((value) => ({ value, label: paymentMethods[value][language] })),
            },
            { name: 'note', kind: 'text', label: words.note, help: words.noteHelp, longest: 200 },
          ],
          submit: words.submit,
        };
      },
      act: () => Promise.resolve({}),
    }),
    act: async (id, values) => {
      const method = venueMethodOf(values['method']);
      if (!method) throw new PanelFieldError({ method: { message: 'fieldChoice' } });
      const [corrected] = isUuid(id) ? await corrections.correct([id], method, noteOf(values['note'])) : [];
      if (corrected === undefined) throw new PanelFieldError({}, wordsNow().nothingLeft);
      return { view: { corrected }, message: 'corrected' };
    },
  };
}
