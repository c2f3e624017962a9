import { vatRateSql } from '#catalogue';

/** SQL of how a sale was paid, the last time it was. */
export const paidBy = (column: string): string =>
  `(select payment.method from payment where payment.${column} and payment.kind = 'payment' and payment.status = 'paid'
    order by payment.created_at desc, payment.id limit 1)`;

/** SQL of the VAT rate at which a row of `table` was sold; `price` is joined. */
export const vatRate = (table: 'ticket' | 'membership'): string => `coalesce(${table}.vat_rate, ${vatRateSql('price.vat')})`;

/** SQL of the VAT in a gross amount, rounded to cents for each line. */
export const vatOf = (amount: string, rate: string): string => `round(${amount} * ${rate} / (100 + ${rate}), 2)`;

/** SQL of a gross amount without its VAT. */
export const netOf = (amount: string, rate: string): string => `${amount} - ${vatOf(amount, rate)}`;

/** Words of the columns that exports of sales have for accountants. */
export const salesWords = {
  en: {
    method: 'Paid by',
    vatRate: 'VAT (%)',
    vat: 'VAT (€)',
    net: 'Net (€)',
    seller: 'Sold by',
    due: 'To be refunded (€)',
  },
  fr: {
    method: 'Payé par',
    vatRate: 'TVA (%)',
    vat: 'TVA (€)',
    net: 'Hors taxe (€)',
    seller: 'Vendu par',
    due: 'À rembourser (€)',
  },
};

/** SQL of who booked `reservation`: the name, else the address, else the reference that is printed on the tickets. */
export const buyer = `coalesce(nullif(trim(concat_ws(' ', reservation.first_name, reservation.last_name)), ''), nullif(reservation.email, ''),
  upper(left(reservation.id::text, 8)))`;
