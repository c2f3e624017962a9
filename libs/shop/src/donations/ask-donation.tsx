import { currency, currentLanguage, isUuid, moneyWords } from '#kernel';
import { amountWords, InputField, reader, SelectField, type Venue } from '#page-kit';
import { roundStepOf, roundUps, type DonationChoice } from '#selling';
import { currentTenant } from '#tenancy';
import type { VNode } from 'preact';
import { donationWords } from './donation.words.js';

/** What a buyer typed as another amount, with the reason why it was refused. */
export interface TypedDonation {
  readonly typed: string;
  readonly fault: string;
}

/** Whether an order is asked for a donation, where it can be paid online. */
export const asksWithOrders = ({ donations, campaigns }: Venue): boolean => donations != null || (campaigns ?? []).length > 0;

/** Reads the form: the suggested amount that was chosen, or what was typed; the rest is what was chosen with it. */
export function readDonation(body: unknown): { readonly typed: string; readonly amount: string; readonly choice: DonationChoice } {
  const read = reader(body);
  const typed = read('donation').trim().slice(0, 20);
  const campaign = read('campaign').toLowerCase();
  const choice = { roundsTo: roundStepOf(read('round')), campaignId: isUuid(campaign) ? campaign : undefined };
  return { typed, amount: read('suggested') || typed.replace(',', '.'), choice };
}

interface AskDonationProps {
  /** Decimal texts, separated by spaces; null: none. */
  readonly suggested: string | null | undefined;
  /** Path that the form is sent to. */
  readonly action: string;
  /** The sum of the order that it is given with, decimal text; undefined: it is given without anything else. */
  readonly order?: string;
  /** What it can be given for. */
  readonly campaigns?: Venue['campaigns'];
  readonly refused?: TypedDonation | undefined;
}

/** The form that adds a donation, folded away beside an order. It leaves a frame of another site: what follows is not shown there. */
export function AskDonation({ suggested, action, order, campaigns: offered, refused }: AskDonationProps): VNode {
  const campaigns = offered ?? [];
  const language = currentLanguage();
  const words = donationWords[language];
  const venue = currentTenant().name;
  const field = { name: 'donation', label: words.amount, fault: refused?.fault };
  const attributes = { value: refused?.typed ?? '', inputmode: 'decimal', autocomplete: 'off', maxlength: 12 };
  const purpose = { name: 'campaign', label: words.purpose };
  const form = (
    <form class="order flow" method="post" action={action} target="_top">
      {/* The first button is that of Enter in the field, which must send what was typed. */}
      <button class="unseen" tabindex={-1} aria-hidden="true">
        {words.add}
      </button>
      {campaigns.length > 0 && (
        <SelectField field={purpose} value="" choices={campaigns.map(({ id, title }) => [id, title])} empty={venue} />
      )}
      <p class="ways">
        {order !== undefined && roundUps(order).map(({ step, sum, missing }) => <RoundUpButton step={step} sum={sum} missing={missing} />)}
        {(suggested ?? '')
          .split(' ')
          .filter(Boolean)
          .map((amount) => {
            const shown = amountWords(amount as `${number}`, language);
            return (
              <button
                class="button other"
                name="suggested"
                value={amount}
                aria-label={order === undefined ? undefined : words.giveAmount(shown)}
              >
                {shown}
              </button>
            );
          })}
      </p>
      <InputField field={field} attributes={attributes} />
      <p>
        <button class="button other">{order === undefined ? words.give : words.add}</button>
      </p>
    </form>
  );
  if (order === undefined)
    return (
      <section class="part" id="give">
        <h2>{words.heading}</h2>
        <p class="hint">{words.ask(venue)}</p>
        {form}
      </section>
    );
  return (
    <details class="fold" open={refused !== undefined} id="give">
      <summary class="line">{words.heading}</summary>
      <p class="hint">{words.askBeside(venue)}</p>
      {form}
    </details>
  );
}

/** The server computes the amount again: the order may have changed meanwhile. */
function RoundUpButton({ step, sum, missing }: { readonly step: number; readonly sum: string; readonly missing: string }): VNode {
  const language = currentLanguage();
  const [whole, given] = [amountWords(sum as `${number}`, language), moneyWords(missing, currency, language)];
  return (
    <button class="button other" name="round" value={step}>
      {donationWords[language].roundUp(whole, given)}
    </button>
  );
}
