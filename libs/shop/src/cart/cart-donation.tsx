import type { Donation } from '#selling';
import { currentLanguage } from '#kernel';
import { amountWords, InputField } from '#page-kit';
import type { ComponentChildren, VNode } from 'preact';
import { LineSection } from './cart-memberships.js';
import { cartWords } from './cart.words.js';

/** What a buyer typed as another amount, with the reason why it was refused. */
export interface TypedDonation {
  readonly typed: string;
  readonly fault: string;
}

interface DonationSectionProps {
  readonly donation: Donation;
  /** What is below it. */
  readonly children?: ComponentChildren;
}

/** The donation in a cart. */
export function DonationSection({ donation: { name, amount }, children }: DonationSectionProps): VNode {
  return (
    <LineSection id="donation" title={cartWords[currentLanguage()].donation} name={name} amount={amount as `${number}`}>
      {children}
    </LineSection>
  );
}

/** The donation of a completed cart, with its state. */
export function Donated({ donation }: { readonly donation: Donation }): VNode {
  const words = cartWords[currentLanguage()];
  return (
    <DonationSection donation={donation}>
      <p class="actions">
        <strong>{donation.isPaid ? words.donationPaid : words.unpaid}</strong>
      </p>
    </DonationSection>
  );
}

interface AskDonationProps {
  readonly venue: string;
  /** Decimal texts, separated by spaces. */
  readonly suggested: string;
  /** Of the cart. */
  readonly path: string;
  readonly refused?: TypedDonation | undefined;
}

/** The form that adds a donation. */
export function AskDonation({ venue, suggested, path, refused }: AskDonationProps): VNode {
  const language = currentLanguage();
  const words = cartWords[language];
  const field = { name: 'donation', label: words.donationAmount, fault: refused?.fault };
  const attributes = { value: refused?.typed ?? '', inputmode: 'decimal', autocomplete: 'off', maxlength: 12 };
  return (
    <section class="part" id="give">
      <h2>{words.donation}</h2>
      <p class="hint">{words.donationAsk(venue)}</p>
      <form class="order" method="post" action={`${path}/donation`}>
        <p class="ways">
          {suggested.split(' ').map((amount) => {
            const shown = amountWords(amount as `${number}`, language);
            return (
              <button class="button other" name="suggested" value={amount} aria-label={words.donationGive(shown)}>
                {shown}
              </button>
            );
          })}
        </p>
        <InputField field={field} attributes={attributes} />
        <p>
          <button class="button other">{words.donationAdd}</button>
        </p>
      </form>
    </section>
  );
}
