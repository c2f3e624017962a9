import { fromCents, toCents } from '#kernel';
import { bankText } from './bank-text.js';

/** A credit transfer of a payment order. */
export interface OrderedTransfer {
  /** At most 35 characters; comes back with the debit. */
  readonly reference: string;
  /** Decimal text in euros. */
  readonly amount: string;
  readonly name: string;
  readonly iban: string;
  readonly bic: string;
  readonly text: string;
}

/** The account that pays. */
export interface Payer {
  readonly name: string;
  readonly iban: string;
  readonly bic: string;
}

/**
 * A payment order for a bank in the form pain.001.001.09 with the characters that all banks of the SEPA take. Each transfer is booked
 * alone, so that the statement names it.
 * @param day ISO date of the execution; banks refuse a past one, so it is the day on which the file is read
 */
export function pain001(
  id: string,
  { payer, at, day }: { readonly payer: Payer; readonly at: Date; readonly day: string },
  all: readonly OrderedTransfer[],
): string {
  const sum = fromCents(all.reduce((cents, { amount }) => cents + toCents(amount), 0));
  const totals = said('NbOfTxs', String(all.length)) + said('CtrlSum', sum);
  const name = said('Nm', bankText(payer.name, 70));
  const head = tag('GrpHdr', said('MsgId', id) + said('CreDtTm', at.toISOString().slice(0, 19)) + totals + tag('InitgPty', name));
  const order = [
    said('PmtInfId', id),
    tag('PmtMtd', 'TRF'),
    tag('BtchBookg', 'false'),
    totals,
    tag('PmtTpInf', tag('SvcLvl', tag('Cd', 'SEPA'))),
    tag('ReqdExctnDt', said('Dt', day)),
    tag('Dbtr', name),
    tag('DbtrAcct', accountOf(payer.iban)),
    tag('DbtrAgt', tag('FinInstnId', payer.bic === '' ? tag('Othr', tag('Id', 'NOTPROVIDED')) : said('BICFI', payer.bic))),
    tag('ChrgBr', 'SLEV'),
    ...all.map(transferOf),
  ];
  const body = tag('CstmrCdtTrfInitn', head + tag('PmtInf', order.join('')));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">${body}</Document>\n`;
}

function transferOf({ reference, amount, name, iban, bic, text }: OrderedTransfer): string {
  const parts = [
    tag('PmtId', said('EndToEndId', reference)),
    tag('Amt', `<InstdAmt Ccy="EUR">${amount}</InstdAmt>`),
    bic === '' ? '' : tag('CdtrAgt', tag('FinInstnId', said('BICFI', bic))),
    tag('Cdtr', said('Nm', bankText(name, 70) || 'Unknown')),
    tag('CdtrAcct', accountOf(iban)),
    tag('RmtInf', said('Ustrd', bankText(text, 140))),
  ];
  return tag('CdtTrfTxInf', parts.join(''));
}

const accountOf = (iban: string): string => tag('Id', said('IBAN', iban));

const tag = (name: string, content: string): string => `<${name}>${content}</${name}>`;

/** An element with a text. Texts have letters, digits and a few signs; others would mean something in XML. */
const said = (name: string, text: string): string => tag(name, text.replaceAll(/[<>&]/g, ' '));
