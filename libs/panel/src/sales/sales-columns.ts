import { texts } from '../locales/panel.texts.js';

/** SQL: the method of the last payment of a sale. */
export const paidBy = (column: string): string =>
  `(select payment.method from payment where payment.${column} and payment.kind = 'payment' and payment.status = 'paid'
    order by payment.created_at desc, payment.id limit 1)`;

/** Labels of the accounting columns in exports of sales. */
export const salesWords = texts.perLanguage('salesColumns', ({ words }) => words);

/** SQL: the name of who booked `reservation`, otherwise the e-mail address, otherwise the number that is printed on tickets. */
export const buyer = `coalesce(nullif(trim(concat_ws(' ', reservation.first_name, reservation.last_name)), ''),
  nullif(reservation.email, ''),
  '№ ' || upper(left(reservation.id::text, 8)))`;
