import { currentLanguage } from '#kernel';
import { amountWords, InputField, reader } from '#page-kit';
import type { VNode } from 'preact';
import { donationWords } from './donation.words.js';

/** What a buyer typed as another amount, with the reason why it was refused. */
export interface TypedDonation {
  readonly typed: string;
  readonly fault: string;
}

/** Reads the form: the suggested amount that was chosen, or what was typed. */
export function readDonation(body: unknown): { readonly typed: string; readonly amount: string } {
  const read = reader(body);
  const typed = read('donation').trim().slice(0, 20);
  return { typed, amount: read('suggested') || typed.replace(',', '.') };
}

interface AskDonationProps {
  readonly venue: string;
  /** Decimal texts, separated by spaces. */
  readonly suggested: string;
  /** Path that the form is sent to. */
  readonly action: string;
  /** It is given without anything else. */
  readonly isAlone?: boolean;
  readonly refused?: TypedDonation | undefined;
}

/** The form that adds a donation. It leaves a frame on a page of another site: what follows is not shown there. */
export function AskDonation({ venue, suggested, action, isAlone = false, refused }: AskDonationProps): VNode {
  const language = currentLanguage();
  const words = donationWords[language];
  const field = { name: 'donation', label: words.amount, fault: refused?.fault };
  const attributes = { value: refused?.typed ?? '', inputmode: 'decimal', autocomplete: 'off', maxlength: 12 };
  return (
    <section class="part" id="give">
      <h2>{words.heading}</h2>
      <p class="hint">{isAlone ? words.ask(venue) : words.askBeside(venue)}</p>
      {/* A form of its own: Enter in the field of the other one sends what was typed. */}
      <form class="order" method="post" action={action} target="_top">
        <input type="hidden" name="donation" value="" />
        <p class="ways">
          {suggested.split(' ').map((amount) => {
            const shown = amountWords(amount as `${number}`, language);
            return (
              <button class="button other" name="suggested" value={amount} aria-label={isAlone ? undefined : words.giveAmount(shown)}>
                {shown}
              </button>
            );
          })}
        </p>
      </form>
      <form class="order" method="post" action={action} target="_top">
        <InputField field={field} attributes={attributes} />
        <p>
          <button class="button other">{isAlone ? words.give : words.add}</button>
        </p>
      </form>
    </section>
  );
}
