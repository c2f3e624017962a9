import { isPlainText, isUuid, RefusedInput, retryOnDeadlock } from '#kernel';
import { donationAmong, lockOrder, ownLinesOf } from '#orders';
import { currentTenant, TenantDb, type Tx } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { texts } from '../locales/selling.texts.js';
import { TaxReceipt, type TaxReceiptIssuer } from './tax-receipt.entity.js';

/** Who gave, as the receipt names them. */
export interface Donor {
  readonly name: string;
  readonly street: string;
  readonly postalCode: string;
  readonly city: string;
  /** May be empty. */
  readonly country: string;
}

/** Longest texts of a donor in characters. */
const longest = { name: 100, street: 150, postalCode: 20, city: 100, country: 60 } as const satisfies Record<keyof Donor, number>;

/** The tax receipt of an order's donation. */
export interface OrderTaxReceipt {
  /** undefined: nobody asked for it yet. */
  readonly receipt: TaxReceipt | undefined;
  /** Whether one can be asked for: the donation is paid, was not given back, and the venue issues receipts. */
  readonly canAsk: boolean;
}

/** Tax receipts for donations, of venues that declare that they may issue them. One for each donation. */
@Injectable()
export class TaxReceiptsService {
  constructor(private readonly db: TenantDb) {}

  /** The receipt of the donation in an order, or whether there can be one. */
  of(orderId: string): Promise<OrderTaxReceipt> {
    return this.db.transaction((tx) => taxReceiptIn(tx, orderId));
  }

  /** Whether the donation of an order has a receipt, or one can be asked for. */
  isFor(orderId: string): Promise<boolean> {
    return this.db.transaction((tx) => hasTaxReceipt(tx, orderId));
  }

  /** @returns null when there is none */
  find(id: string): Promise<TaxReceipt | null> {
    return this.db.transaction((tx) => tx.findOneBy(TaxReceipt, { id: isUuid(id) ? id : undefined }));
  }

  /**
   * Issues the receipt for the donation in an order, with the next number. Later calls return the same one, whatever they name.
   * @returns undefined when there is no paid donation (any more), or the venue issues no receipts
   * @throws RefusedInput on a member of the donor
   */
  async issue(orderId: string, donor: Donor): Promise<TaxReceipt | undefined> {
    const { name, address } = checkedDonor(donor);
    const issuing = async (tx: Tx): Promise<TaxReceipt | undefined> => {
      // A donation that is given back at the same moment has none.
      await lockOrder(tx, orderId);
      const issuer = await issuerIn(tx);
      const donation = donationAmong(await ownLinesOf(tx, orderId));
      if (issuer && donation?.isPaid === true) {
        // Whoever waits here sees the number of who came first. A transaction that fails gives its number back.
        await tx.query(`select pg_advisory_xact_lock(hashtextextended('tax receipts of ' || current_schema(), 0))`);
        await tx.query(
          `insert into tax_receipt (number, line_id, donor_name, donor_address, amount, paid_at, method, issuer)
           select (select coalesce(max(number), 0) + 1 from tax_receipt), line.id, $2, $3, line.amount, line.effective_at,
             coalesce((select payment.method from payment
             where payment.order_id = $1 and payment.kind = 'payment' and payment.status = 'paid'
             order by payment.reservation_id is null and payment.membership_id is null desc, payment.created_at desc limit 1), 'online'), $4
           from order_line line where line.id = $5 on conflict (line_id) do nothing`,
          [orderId, name, address, JSON.stringify(issuer), donation.id],
        );
      }
      return receiptOf(tx, orderId);
    };
    return retryOnDeadlock(() => this.db.transaction(issuing));
  }
}

async function taxReceiptIn(tx: Tx, orderId: string): Promise<OrderTaxReceipt> {
  const receipt = await receiptOf(tx, orderId);
  const canAsk = !receipt && donationAmong(await ownLinesOf(tx, orderId))?.isPaid === true && (await issuerIn(tx)) !== undefined;
  return { receipt, canAsk };
}

/** Whether the donation of an order has a receipt, or one can be asked for. */
export async function hasTaxReceipt(tx: Tx, orderId: string): Promise<boolean> {
  const { receipt, canAsk } = await taxReceiptIn(tx, orderId);
  return receipt ? receipt.endedAt === null : canAsk;
}

/** The newest receipt of an order's donations, also one that has ended. */
async function receiptOf(tx: Tx, orderId: string): Promise<TaxReceipt | undefined> {
  const lines = await tx.query<{ id: string }[]>(
    `select receipt.id from tax_receipt receipt join order_line line on line.id = receipt.line_id
     where line.order_id = $1 order by receipt.number desc limit 1`,
    [orderId],
  );
  const [found] = lines;
  return found && ((await tx.findOneBy(TaxReceipt, { id: found.id })) ?? undefined);
}

/** What the venue says of itself; undefined: it issues no receipts. */
async function issuerIn(tx: Tx): Promise<TaxReceiptIssuer | undefined> {
  const [row] = await tx.query<{ articles: string; name: string | null; object: string; signer: string | null; address: string }[]>(
    `select tax_receipt_articles as articles, tax_receipt_name as name, tax_receipt_object as object, tax_receipt_signer as signer,
       concat_ws(E'\\n', street_address, nullif(concat_ws(' ', postal_code, city), '')) as address
     from configuration where tax_receipt_articles is not null and tax_receipt_object is not null
       and street_address is not null and city is not null`,
  );
  if (!row) return undefined;
  const { articles, name, object, signer, address } = row;
  return { name: name ?? currentTenant().name, address, object, articles: articles.split(', '), signer: signer ?? '' };
}

/** @throws RefusedInput on the first member that does not fit */
function checkedDonor(donor: Donor): { readonly name: string; readonly address: string } {
  const { name, street, postalCode, city, country } = donor;
  for (const field of Object.keys(longest) as (keyof Donor)[]) {
    const least = field === 'country' ? 0 : 1;
    if (!isPlainText(donor[field], least, longest[field]))
      throw new RefusedInput(field, texts.localized('taxReceipts.text', { most: longest[field] }));
  }
  const lines = [street, `${postalCode.trim()} ${city.trim()}`, country].map((line) => line.trim());
  return { name: name.trim(), address: lines.filter((line) => line !== '').join('\n') };
}
