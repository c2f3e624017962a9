import { forEachLanguage, type Text } from '#kernel';
import { texts } from '../locales/payments.texts.js';

const brand = (name: string): Text => forEachLanguage(() => name);

/** The ways to pay online that buyers know by name, in the order in which they are listed: first what most people have. */
const names = {
  card: texts.localized('onlineMethods.card'),
  apple_pay: brand('Apple Pay'),
  google_pay: brand('Google Pay'),
  paypal: brand('PayPal'),
  bancontact: brand('Bancontact'),
  ideal: brand('iDEAL'),
  wero: brand('Wero'),
  eps: brand('eps'),
  twint: brand('TWINT'),
  bizum: brand('Bizum'),
  blik: brand('BLIK'),
  przelewy24: brand('Przelewy24'),
  belfius: brand('Belfius'),
  kbc: brand('KBC/CBC'),
  satispay: brand('Satispay'),
  mb_way: brand('MB WAY'),
  multibanco: brand('Multibanco'),
  swish: brand('Swish'),
  mobilepay: brand('MobilePay'),
  revolut_pay: brand('Revolut Pay'),
  amazon_pay: brand('Amazon Pay'),
  link: brand('Link'),
  trustly: brand('Trustly'),
  klarna: brand('Klarna'),
  alma: brand('Alma'),
  riverty: brand('Riverty'),
  in3: brand('in3'),
  sepa_debit: texts.localized('onlineMethods.sepaDebit'),
  bank_transfer: texts.localized('onlineMethods.bankTransfer'),
} as const satisfies Readonly<Record<string, Text>>;

export type OnlineMethod = keyof typeof names;

/** The known methods among some, each once, in the order of the table. Unknown ones are left out: buyers would not know them either. */
export function knownMethods(found: Iterable<string>): OnlineMethod[] {
  const all = new Set(found);
  return (Object.keys(names) as OnlineMethod[]).filter((method) => all.has(method));
}

/** The names of methods as one text, "Card, iDEAL"; empty without any. @param methods as they are stored */
export const namesOfMethods = (methods: readonly string[]): Text =>
  forEachLanguage((language) =>
    knownMethods(methods)
      .map((method) => names[method][language])
      .join(', '),
  );
