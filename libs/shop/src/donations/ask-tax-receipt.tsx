import { currentLanguage } from '#kernel';
import { FaultSummary, InputField } from '#page-kit';
import type { Donor, OrderTaxReceipt } from '#selling';
import type { VNode } from 'preact';
import { orderWords } from '../frame/order.words.js';
import { Step } from '../frame/step.js';
import { donationWords } from './donation.words.js';

/** A form that was refused. */
export interface RefusedDonor {
  readonly donor: Donor;
  readonly faults: ReadonlyMap<string, string>;
}

interface TaxReceiptProps {
  readonly found: OrderTaxReceipt;
  /** Of the donation. */
  readonly path: string;
  readonly refused?: RefusedDonor | undefined;
}

const inputs = [
  ['name', 'name'],
  ['street', 'street-address'],
  ['postalCode', 'postal-code'],
  ['city', 'address-level2'],
  ['country', 'country-name'],
] as const satisfies readonly (readonly [keyof Donor, string])[];

/** The way to a tax receipt: it is ready, has ended, or is to be asked for. */
export function TaxReceiptPart({ found: { receipt, canAsk }, path, refused }: TaxReceiptProps): VNode {
  const language = currentLanguage();
  const words = donationWords[language];
  if (receipt && receipt.endedAt !== null) return <Step title={words.receiptEnded(receipt.number)} />;
  if (receipt)
    return (
      <Step title={words.receiptNumber(receipt.number)} lines={[words.receiptReady]} isGood>
        {receipt.donorName !== null && (
          <p>
            <a class="button" href={`${path}/receipt.pdf`}>
              {words.receiptOpen}
            </a>
          </p>
        )}
      </Step>
    );
  if (!canAsk) return <Step title={words.receiptNone} />;
  return (
    <section class="part">
      <FaultSummary title={orderWords[language].faults} faults={refused?.faults ?? new Map()} />
      <p class="hint">{words.receiptLead}</p>
      <form class="order flow" method="post" action={`${path}/receipt`}>
        {inputs.map(([name, autocomplete]) => (
          <InputField
            field={{ name, label: words.donor[name], optional: name === 'country', fault: refused?.faults.get(name) }}
            attributes={{ value: refused?.donor[name] ?? '', autocomplete, required: name !== 'country' }}
          />
        ))}
        <p class="hint">{words.receiptKept}</p>
        <p>
          <button class="button">{words.receiptAsk}</button>
        </p>
      </form>
    </section>
  );
}

/** The link to the tax receipt of a paid donation. */
export function TaxReceiptLink({ path }: { readonly path: string }): VNode {
  return (
    <p>
      <a href={`${path}/receipt`}>{donationWords[currentLanguage()].receiptLink}</a>
    </p>
  );
}
