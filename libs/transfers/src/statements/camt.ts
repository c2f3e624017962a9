import { RefusedInput } from '#kernel';
import { setImmediate as nextTurn } from 'node:timers/promises';
import sax from 'sax';
import { deepestElement, mostEntries, mostTexts } from '../bounds.js';
import { texts } from '../locales/transfers.texts.js';
import { bicIn, currencyIn, dayThatExists, ibanIn, isFitAmount, lineOf, nameOf, type StatementEntry } from './statement-entry.js';

/** Characters that are read before others get their turn. */
const slice = 64 * 1024;
/** Characters of the text of one element. */
const longestText = 2000;

/** What one transaction of an entry, or an entry without transactions, says. */
interface Found {
  amount: string;
  currency: string;
  isDebit: boolean | undefined;
  bankReference: string;
  debtor: string;
  creditor: string;
  debtorIban: string;
  creditorIban: string;
  bic: string;
  texts: string[];
}

const nothing = (): Found => ({
  amount: '',
  currency: '',
  isDebit: undefined,
  bankReference: '',
  debtor: '',
  creditor: '',
  debtorIban: '',
  creditorIban: '',
  bic: '',
  texts: [],
});

const refused = (): RefusedInput => new RefusedInput('file', texts.localized('upload.notCamt'));

const tooMany = (): RefusedInput => new RefusedInput('file', texts.localized('upload.tooMany', { most: mostEntries }));

/**
 * Reads the booked entries of a file in the form CAMT.053 or CAMT.052, of any version. A collected entry has one entry for each of its
 * transactions. Declarations of entities are refused, and others run while it is read.
 * @throws RefusedInput on `file` when it is no such file, or too large
 */
export async function readCamt(xml: string): Promise<StatementEntry[]> {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) throw refused();
  const reader = new CamtReader();
  for (let at = 0; at < xml.length; at += slice) {
    reader.write(xml.slice(at, at + slice));
    await nextTurn();
  }
  return reader.end();
}

class CamtReader {
  private readonly parser = sax.parser(true, { xmlns: false, position: false });
  private readonly path: string[] = [];
  private readonly entries: StatementEntry[] = [];
  private text = '';
  private account = '';
  private isStatement = false;
  private entry = nothing();
  private booked = '';
  private valued = '';
  private status = '';
  private transactions: Found[] = [];
  private transaction: Found | undefined;
  private failure: Error | undefined;

  constructor() {
    Object.assign(this.parser, {
      onerror: (error: Error) => {
        this.failure ??= error;
      },
      onopentag: ({ name, attributes }: sax.Tag) => this.opened(name.replace(/^.*:/, ''), attributes),
      ontext: (text: string) => this.said(text),
      oncdata: (text: string) => this.said(text),
      onclosetag: () => this.closed(),
    });
  }

  write(part: string): void {
    this.parser.write(part);
    if (this.failure) throw refused();
  }

  end(): StatementEntry[] {
    this.parser.close();
    if (this.failure || !this.isStatement) throw refused();
    return this.entries;
  }

  private said(text: string): void {
    if (this.text.length < longestText) this.text += text;
  }

  private opened(name: string, attributes: Readonly<Record<string, string>>): void {
    this.path.push(name);
    if (this.path.length > deepestElement) throw refused();
    this.text = '';
    if (name === 'BkToCstmrStmt' || name === 'BkToCstmrAcctRpt') this.isStatement = true;
    if (name === 'Stmt' || name === 'Rpt') this.account = '';
    if (name === 'Ntry') {
      this.entry = nothing();
      [this.booked, this.valued, this.status, this.transactions] = ['', '', '', []];
    }
    if (name === 'TxDtls') this.transaction = nothing();
    const isAmount = name === 'Amt' && ['Ntry', 'TxDtls', 'TxAmt'].includes(this.path.at(-2) ?? '');
    if (isAmount) this.current().currency = attributes['Ccy'] ?? '';
  }

  private current(): Found {
    return this.transaction ?? this.entry;
  }

  private closed(): void {
    const text = this.text.trim();
    this.text = '';
    const inEntry = this.path.includes('Ntry');
    if (inEntry) this.closedInEntry(text);
    else if (this.ends('Acct', 'Id', 'IBAN')) this.account = ibanIn(text);
    this.path.pop();
  }

  private ends(...names: readonly string[]): boolean {
    return names.every((name, index) => this.path[this.path.length - names.length + index] === name);
  }

  private closedInEntry(text: string): void {
    const found = this.current();
    const name = this.path.at(-1);
    switch (name) {
      case 'Amt':
        // Of a transaction, the amount stands in TxDtls itself (.08) or in its details (.02).
        if (this.ends('Ntry', 'Amt') || this.ends('TxDtls', 'Amt') || (this.ends('TxAmt', 'Amt') && found.amount === ''))
          found.amount = text;
        break;
      case 'CdtDbtInd':
        if (this.ends('Ntry', name) || this.ends('TxDtls', name)) found.isDebit = text === 'DBIT';
        break;
      case 'Sts':
        if (this.ends('Ntry', name)) this.status = text;
        break;
      case 'Cd':
        if (this.ends('Ntry', 'Sts', name)) this.status = text;
        break;
      case 'Dt':
      case 'DtTm':
        if (this.ends('BookgDt', name)) this.booked = text.slice(0, 10);
        if (this.ends('ValDt', name)) this.valued = text.slice(0, 10);
        break;
      case 'AcctSvcrRef':
        found.bankReference = lineOf(text, 100);
        break;
      case 'Nm':
        if (this.path.includes('Dbtr')) found.debtor = text;
        if (this.path.includes('Cdtr')) found.creditor = text;
        break;
      case 'IBAN':
        if (this.path.includes('DbtrAcct')) found.debtorIban = ibanIn(text);
        if (this.path.includes('CdtrAcct')) found.creditorIban = ibanIn(text);
        break;
      case 'BIC':
      case 'BICFI':
        if (this.path.includes('DbtrAgt')) found.bic = bicIn(text);
        break;
      case 'Ustrd':
      case 'Ref':
      case 'EndToEndId':
      case 'AddtlNtryInf':
      case 'AddtlTxInf':
        if (text !== '' && text !== 'NOTPROVIDED' && text !== 'NONREF' && found.texts.length < mostTexts) found.texts.push(text);
        break;
      case 'TxDtls':
        this.transactions.push(found);
        if (this.entries.length + this.transactions.length > mostEntries) throw tooMany();
        this.transaction = undefined;
        break;
      case 'Ntry':
        this.entryEnds();
    }
  }

  private entryEnds(): void {
    // Entries that are only noted may be booked later, or never.
    if (this.status !== '' && this.status !== 'BOOK') return;
    const [first] = this.transactions;
    const whole = this.entry;
    const isCollected = this.transactions.length > 1 && this.transactions.every(({ amount }) => amount !== '');
    const parts = isCollected ? this.transactions : [{ ...(first ?? whole), amount: whole.amount, currency: whole.currency }];
    if (this.entries.length + parts.length > mostEntries) throw tooMany();
    for (const part of parts) this.entries.push(this.entryOf(part));
  }

  private entryOf(part: Found): StatementEntry {
    const isDebit = part.isDebit ?? this.entry.isDebit ?? false;
    const cents = /^\d{1,10}(?:\.\d+)?$/.test(part.amount) ? Math.round(Number(part.amount) * 100) : Number.NaN;
    const bookedOn = dayThatExists(this.booked || this.valued);
    const currency = currencyIn(part.currency || this.entry.currency);
    if (!isFitAmount(cents) || bookedOn === undefined || currency === undefined) throw refused();
    const ofEntry = part === this.entry ? [] : this.entry.texts;
    return {
      account: this.account,
      bankReference: part.bankReference || this.entry.bankReference,
      bookedOn,
      cents: isDebit ? -cents : cents,
      currency,
      name: nameOf(isDebit ? part.creditor : part.debtor),
      iban: isDebit ? part.creditorIban : part.debtorIban,
      bic: part.bic,
      text: lineOf([...new Set([...part.texts, ...ofEntry])].join(' ')),
    };
  }
}
