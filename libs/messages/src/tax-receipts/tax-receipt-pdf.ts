import { currency, dayWords, localeOf } from '#kernel';
import { drawInThread } from '../threads/shared-threads.js';
import { amountInFrench } from './amount-in-french.js';

/** Everything that a tax receipt says, as it was when it was issued. */
export interface TaxReceiptFacts {
  readonly number: number;
  readonly issuer: {
    readonly name: string;
    readonly address: string;
    readonly object: string;
    /** Of the code général des impôts: `200`, `238 bis`, `978`. */
    readonly articles: readonly string[];
    /** Name and function of who signs. */
    readonly signer: string;
  };
  readonly donor: { readonly name: string; readonly address: string };
  /** Decimal text, in euros. */
  readonly amount: string;
  readonly paidAt: Date;
  /** Of the ledger. */
  readonly method: string;
  readonly issuedAt: Date;
  /** When the donation was given back; null: it was not. */
  readonly endedAt: Date | null;
  readonly timeZone: string;
}

/**
 * Renders a French tax receipt for a donation as a PDF, after the model of the form Cerfa 11580, in French: the tax office wants it so.
 * The same facts make the same document.
 * @throws DrawingFailedError
 */
export function taxReceiptPdf(facts: TaxReceiptFacts): Promise<Buffer> {
  const { number, issuer, donor, amount, method, paidAt, issuedAt, endedAt, timeZone } = facts;
  const day = (instant: Date): string => dayWords(instant, 'fr', timeZone);
  const money = new Intl.NumberFormat(localeOf('fr'), { style: 'currency', currency }).format(amount as `${number}`);
  const articles = listed(issuer.articles);
  const [which, ofWhich] = issuer.articles.length > 1 ? ['articles', 'aux articles'] : ['article', 'à l’article'];
  const title = `Reçu au titre des dons n° ${number}`;
  return drawInThread({
    kind: 'receipt',
    about: { language: 'fr', title, author: issuer.name, subject: String(number), made: issuedAt },
    receipt: {
      venue: issuer.name,
      address: issuer.address.split('\n'),
      title: endedAt === null ? title : `${title} – annulé le ${day(endedAt)}, le don ayant été restitué`,
      facts: (
        [
          ['Dons à certains organismes d’intérêt général', `${which} ${articles} du code général des impôts (CGI)`],
          ['Numéro d’ordre du reçu', String(number)],
          ['Objet de l’organisme', issuer.object],
          ['Donateur', donor.name],
          ['Adresse du donateur', donor.address.split('\n').join(', ')],
          ['Date du versement', day(paidAt)],
          ['Forme et nature du don', 'déclaration de don manuel ; numéraire'],
          ['Mode de versement', method === 'cash' ? 'remise d’espèces' : 'virement, prélèvement, carte bancaire'],
        ] as const
      )
        // The drawing writes the colon.
        .map(([label, value]) => [`${label}\u00A0`, value] as const),
      lines: [
        {
          label: 'Le bénéficiaire reconnaît avoir reçu au titre des dons et versements ouvrant droit à réduction d’impôt la somme de',
          amount: money,
          isStrong: true,
        },
      ],
      sums: [],
      closing: [
        `Somme en toutes lettres : ${amountInFrench(amount)}.`,
        `${certified} ${ofWhich} ${articles} du CGI.`,
        `Établi le ${day(issuedAt)}, d’après le modèle Cerfa n° 11580.`,
      ],
      signature: `Date et signature : ${issuer.signer}`,
    },
    logo: undefined,
  });
}

/** What the organisation certifies, before the articles. */
const certified =
  'Le bénéficiaire certifie sur l’honneur que les dons et versements qu’il reçoit ouvrent droit à la réduction d’impôt prévue';

/** `200, 238 bis et 978` */
const listed = (articles: readonly string[]): string => new Intl.ListFormat('fr', { type: 'conjunction' }).format(articles);
