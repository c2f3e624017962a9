import type { Donation, GivenPlaces } from '#selling';
import { currentLanguage } from '#kernel';
import type { ComponentChildren, VNode } from 'preact';
import { TaxReceiptLink } from '../donations/ask-tax-receipt.js';
import { donationWords } from '../donations/donation.words.js';
import { LineSection } from './cart-memberships.js';
import { cartWords } from './cart.words.js';

interface DonationSectionProps {
  readonly donation: Donation | GivenPlaces;
  /** What is below it. */
  readonly children?: ComponentChildren;
}

/** The donation in a cart, or the places for others at an event. */
export function DonationSection({ donation, children }: DonationSectionProps): VNode {
  const { id, name, amount } = donation;
  const words = donationWords[currentLanguage()];
  if ('eventId' in donation)
    return (
      <LineSection id={id} title={words.placesHeading} name={name} quantity={donation.places} amount={amount as `${number}`}>
        {children}
      </LineSection>
    );
  return (
    <LineSection id="donation" title={words.heading} name={name} amount={amount as `${number}`}>
      {children}
    </LineSection>
  );
}

interface DonatedProps extends Pick<DonationSectionProps, 'donation'> {
  /** That leads to its tax receipt; undefined: there is none. */
  readonly path?: string | undefined;
}

/** The donation of a completed cart, or its places for others, with their state. */
export function Donated({ donation, path }: DonatedProps): VNode {
  const words = cartWords[currentLanguage()];
  return (
    <DonationSection donation={donation}>
      <p class="actions">
        <strong>{donation.isPaid ? donationWords[currentLanguage()].paid : words.unpaid}</strong>
      </p>
      {path !== undefined && <TaxReceiptLink path={path} />}
    </DonationSection>
  );
}
