/** An invented entry of a statement. */
export interface BankLine {
  /** ISO date. */
  readonly day: string;
  /** Decimal text; negative: a debit. */
  readonly amount: string;
  readonly name: string;
  readonly iban: string;
  readonly text: string;
  readonly currency?: string;
}

const [year, month, date] = [0, 1, 2];
const partsOf = (day: string): string[] => day.split('-');
const dotted = (day: string): string => `${partsOf(day)[date]}.${partsOf(day)[month]}.${partsOf(day)[year]}`;
const slashed = (day: string): string => dotted(day).replaceAll('.', '/');
const comma = (amount: string): string => amount.replace('.', ',');
const grouped = (amount: string, sign: string): string => comma(amount).replace(/(\d)(\d{3},)/, `$1${sign}$2`);
const windows = (text: string): Buffer => Buffer.from(text, 'latin1');
const account = 'DE89370400440532013000';

/** CAMT.053.001.02 as Sparkassen write it: one transaction for each entry, a reference of the bank, details in TxDtls. */
export function sparkasseCamt(lines: readonly BankLine[], number = 1): Buffer {
  const entries = lines.map(({ day, amount, name, iban, text, currency = 'EUR' }, index) => {
    const isDebit = amount.startsWith('-');
    const [party, side] = isDebit ? ['Cdtr', 'DBIT'] : ['Dbtr', 'CRDT'];
    const money = `Ccy="${currency}">${amount.replace('-', '')}</`;
    return `<Ntry><Amt ${money}Amt><CdtDbtInd>${side}</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${day}</Dt></BookgDt><ValDt>
<Dt>${day}</Dt></ValDt>
<AcctSvcrRef>2026${number}${String(index).padStart(6, '0')}</AcctSvcrRef><BkTxCd/><NtryDtls><TxDtls><Refs>
<EndToEndId>NOTPROVIDED</EndToEndId></Refs>
<AmtDtls><TxAmt><Amt ${money}Amt></TxAmt></AmtDtls><RltdPties><${party}><Nm>${name}</Nm></${party}><${party}Acct><Id>
<IBAN>${iban}</IBAN></Id></${party}Acct></RltdPties>
<RltdAgts><DbtrAgt><FinInstnId><BIC>COBADEFFXXX</BIC></FinInstnId></DbtrAgt></RltdAgts>
<RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls><AddtlNtryInf>GUTSCHR. UEBERWEISUNG</AddtlNtryInf></Ntry>`;
  });
  return camt('camt.053.001.02', entries.join(''));
}

/** CAMT.053.001.08 as Deutsche Bank writes it: collected entries, prefixed elements, structured references. */
export function deutscheBankCamt(lines: readonly BankLine[], number = 1): Buffer {
  const sum = lines.reduce((cents, { amount }) => cents + Math.round(Number(amount) * 100), 0) / 100;
  const details = lines.map(
    (
      { amount, name, iban, text },
      index,
    ) => `<n:TxDtls><n:Refs><n:AcctSvcrRef>DB${number}-${index}</n:AcctSvcrRef><n:EndToEndId>E2E-${index}</n:EndToEndId></n:Refs>
<n:Amt Ccy="EUR">${amount}</n:Amt><n:CdtDbtInd>CRDT</n:CdtDbtInd><n:RltdPties><n:Dbtr><n:Pty><n:Nm>${name}</n:Nm></n:Pty></n:Dbtr>
<n:DbtrAcct><n:Id><n:IBAN>${iban}</n:IBAN></n:Id></n:DbtrAcct></n:RltdPties><n:RltdAgts><n:DbtrAgt><n:FinInstnId>
<n:BICFI>DEUTDEFF</n:BICFI></n:FinInstnId></n:DbtrAgt></n:RltdAgts>
<n:RmtInf><n:Strd><n:CdtrRefInf><n:Tp><n:CdOrPrtry><n:Cd>SCOR</n:Cd></n:CdOrPrtry></n:Tp><n:Ref>${text}</n:Ref></n:CdtrRefInf>
</n:Strd></n:RmtInf></n:TxDtls>`,
  );
  const entry = `<n:Ntry><n:Amt Ccy="EUR">${sum.toFixed(2)}</n:Amt><n:CdtDbtInd>CRDT</n:CdtDbtInd><n:Sts><n:Cd>BOOK</n:Cd></n:Sts>
<n:BookgDt><n:DtTm>${lines[0]?.day ?? ''}T00:00:00+01:00</n:DtTm></n:BookgDt><n:NtryDtls><n:Btch>
<n:NbOfTxs>${lines.length}</n:NbOfTxs></n:Btch>${details.join('')}</n:NtryDtls></n:Ntry>`;
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<n:Document xmlns:n="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><n:BkToCstmrStmt>
<n:Stmt><n:Id>S</n:Id><n:Acct><n:Id><n:IBAN>${account}</n:IBAN></n:Id></n:Acct>${entry}</n:Stmt></n:BkToCstmrStmt></n:Document>`);
}

function camt(form: string, entries: string): Buffer {
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${form}"><BkToCstmrStmt>
<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-12-01T06:00:00</CreDtTm></GrpHdr><Stmt><Id>S1</Id><Acct><Id><IBAN>${account}</IBAN></Id>
<Ccy>EUR</Ccy></Acct>
<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">1000.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-30</Dt>
</Dt></Bal>${entries}</Stmt></BkToCstmrStmt></Document>`);
}

/** CSV (CAMT V8) of Sparkassen: Windows-1252, semicolons, quotes, days with two digits of the year. */
export function sparkasseCsv(lines: readonly BankLine[]): Buffer {
  const head = [
    '"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";',
    '"Beguenstigter/Zahlungspflichtiger";"Kontonummer/IBAN";"BIC (SWIFT-Code)";"Betrag";"Waehrung";',
    '"Info"',
  ].join('');
  const rows = lines.map(({ day, amount, name, iban, text, currency = 'EUR' }) =>
    [
      account,
      dotted(day).replace(/\.20(\d\d)$/, '.$1'),
      dotted(day),
      'GUTSCHR. UEBERW. DAUERAUFTR.',
      text,
      name,
      iban,
      'COBADEFFXXX',
      comma(amount),
      currency,
      'Umsatz gebucht',
    ]
      .map((cell) => `"${cell}"`)
      .join(';'),
  );
  return windows([head, ...rows].join('\r\n'));
}

/** CSV of BNP Paribas: a line about the account above, tabs or semicolons, spaces between thousands. */
export function bnpCsv(lines: readonly BankLine[]): Buffer {
  const rows = lines.map(({ day, amount, name, text }) =>
    [slashed(day), 'VIR SEPA RECU', name, `VIR SEPA RECU /DE ${name} /MOTIF ${text}`, grouped(amount, ' ')].join(';'),
  );
  const head = 'Date operation;Libelle court;Libelle simplifie;Libelle operation;Montant operation en euro';
  return windows(['Compte de chèques;****3000;30/11/2026;;1 234,56', head, ...rows].join('\r\n'));
}

/** CSV of Crédit Mutuel: debit and credit in two columns. */
export function creditMutuelCsv(lines: readonly BankLine[]): Buffer {
  const head = 'Date;Date de valeur;Débit;Crédit;Libellé;Solde';
  const rows = lines.map(({ day, amount, name, text }) => {
    const [debit, credit] = amount.startsWith('-') ? [comma(amount), ''] : ['', comma(amount)];
    return [slashed(day), slashed(day), debit, credit, `VIR DE ${name} ${text}`, '5000,00'].join(';');
  });
  return windows([head, ...rows].join('\r\n'));
}

/** CSV of ING (NL): commas, quotes, the direction in a column of its own, days without separators. */
export function ingCsv(lines: readonly BankLine[]): Buffer {
  const head = '"Datum","Naam / Omschrijving","Rekening","Tegenrekening","Code","Af Bij","Bedrag (EUR)","Mutatiesoort","Mededelingen"';
  const rows = lines.map(({ day, amount, name, iban, text }) =>
    [
      day.replaceAll('-', ''),
      name,
      'NL91ABNA0417164300',
      iban,
      'OV',
      amount.startsWith('-') ? 'Af' : 'Bij',
      comma(amount.replace('-', '')),
      'Overschrijving',
      `Naam: ${name} Omschrijving: ${text} IBAN: ${iban}`,
    ]
      .map((cell) => `"${cell}"`)
      .join(','),
  );
  return Buffer.from([head, ...rows].join('\n'));
}

/** CSV of KBC: semicolons, UTF-8, many columns, credit and debit beside the amount. */
export function kbcCsv(lines: readonly BankLine[]): Buffer {
  const head = [
    'Rekeningnummer;Rubrieknaam;Naam;Munt;Afschriftnummer;Datum;Omschrijving;Valuta;Bedrag;Saldo;',
    'credit;debet;rekeningnummer tegenpartij;BIC tegenpartij;Naam tegenpartij;Adres tegenpartij;',
    'gestructureerde mededeling;Vrije mededeling',
  ].join('');
  const rows = lines.map(({ day, amount, name, iban, text, currency = 'EUR' }) =>
    [
      account,
      '',
      'DE KLEINE ZAAL VZW',
      currency,
      '0110',
      slashed(day),
      'EUROPESE OVERSCHRIJVING VAN',
      slashed(day),
      grouped(amount, '.'),
      '10.000,00',
      amount.startsWith('-') ? '' : grouped(amount, '.'),
      '',
      iban,
      'KREDBEBB',
      name,
      '',
      '',
      text,
    ].join(';'),
  );
  return Buffer.from(`\uFEFF${[head, ...rows].join('\r\n')}`);
}

/** A record of each list about bank transfers. @param one runs a statement with `{tenant}` for the schema */
export async function bankRecords(one: (sql: string) => Promise<Readonly<Record<string, unknown>>>): Promise<void> {
  await one(`insert into {tenant}.bank_transfer (order_id, reference, due_on) select id, 'TW7M3P9Q', '2026-12-20' from {tenant}.orders
    order by id limit 1 on conflict (order_id) do update set due_on = excluded.due_on returning order_id`);
  const statement = await one(`insert into {tenant}.bank_statement (file_name, digest) values ('twins.xml', 'twins')
    on conflict (digest) do update set file_name = excluded.file_name returning id`);
  await one(`insert into {tenant}.bank_entry (statement_id, account, key, booked_on, amount, currency, state, finding)
    values ('${String(statement['id'])}', '', 'twins', '2026-12-02', 36, 'EUR', 'open', 'none')
    on conflict (account, key) do update set name = '' returning id`);
  await one(`insert into {tenant}.refund_order (reference, refunds, amount) values ('RBTWINS', 1, 36) returning id`);
}
