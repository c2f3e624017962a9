import { isUuid } from '#kernel';
import type { DonationsService } from '#selling';
import type { PanelAction, PanelSource } from '#panel-kit';
import { currentPanelRequest, euros, formAction, PanelFieldError, textOf } from '#panel-kit';
import { noteOf } from '../forms/note.js';
import { hasLeft } from './payments.reader.js';
import { donationWords } from './payments.words.js';

/** SQL: whether a payment is a donation of which something is left to refund; a gift card is none, because it must end with its refund. */
export const isDonation = `(payment.reservation_id is null and payment.membership_id is null and ${hasLeft}
  and not exists (select from gift_card where gift_card.order_id = payment.order_id))`;

/** The action that gives a donation back to the person who made it. */
export function refundDonationAction(source: Pick<PanelSource, 'findOne'>, donations: DonationsService): PanelAction {
  const wordsNow = () => donationWords[currentPanelRequest().language];
  return formAction({
    icon: 'CornerUpLeft',
    visible: ({ donation }) => donation === true,
    form: async (id) => {
      const words = wordsNow();
      const row = await source.findOne(id);
      if (row?.['donation'] !== true) return { lead: [words.nothingLeft], fields: [] };
      return {
        lead: [words.lead],
        facts: [[euros(textOf(row['amount']), currentPanelRequest().language), row['holder']].filter(Boolean).join(' · ')],
        fields: [{ name: 'note', kind: 'text', label: words.note, help: words.noteHelp, longest: 200 }],
        submit: words.submit,
      };
    },
    act: async (id, values) => {
      const row = isUuid(id) ? await source.findOne(id) : null;
      const isGiven = row?.['donation'] === true && (await donations.giveBack(textOf(row['orderId']), noteOf(values['note'])));
      if (!isGiven) throw new PanelFieldError({}, wordsNow().nothingLeft);
      return { message: 'donationRefunded' };
    },
  });
}
