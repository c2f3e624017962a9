import { describe, expect, it } from '@jest/globals';
import {
  bnpCsv,
  creditMutuelCsv,
  deutscheBankCamt,
  ingCsv,
  kbcCsv,
  sparkasseCamt,
  sparkasseCsv,
  type BankLine,
} from '../../../../test/support/bank-files.js';
import { creditorReference } from '../expected/transfer-reference.js';
import { columnsOf, entriesOfCsv, isComplete, readBankCsv } from './bank-csv.js';
import { readCamt } from './camt.js';
import { keyed, type StatementEntry } from './statement-entry.js';

const lines: readonly BankLine[] = [
  { day: '2026-12-01', amount: '1234.56', name: 'Zoé Müller', iban: 'FR7630006000011234567890189', text: 'Tickets K7M3 P9QT merci' },
  { day: '2026-12-02', amount: '36.00', name: 'Jan Smit', iban: 'NL91ABNA0417164300', text: 'RF42 W7M3P9QT' },
];

async function ofCsv(bytes: Buffer): Promise<StatementEntry[]> {
  const table = await readBankCsv(bytes);
  const columns = columnsOf(table);
  expect(isComplete(columns)).toBe(true);
  return entriesOfCsv(table, columns, 'DE89370400440532013000');
}

const files: Readonly<Record<string, () => Promise<StatementEntry[]>>> = {
  'Sparkasse, CAMT.053.001.02': () => readCamt(sparkasseCamt(lines).toString()),
  'Deutsche Bank, CAMT.053.001.08': () => readCamt(deutscheBankCamt(lines.map((line) => ({ ...line, day: '2026-12-01' }))).toString()),
  'Sparkasse, CSV': () => ofCsv(sparkasseCsv(lines)),
  'BNP Paribas, CSV': () => ofCsv(bnpCsv(lines)),
  'Crédit Mutuel, CSV': () => ofCsv(creditMutuelCsv(lines)),
  'ING, CSV': () => ofCsv(ingCsv(lines)),
  'KBC, CSV': () => ofCsv(kbcCsv(lines)),
};

describe('statements', () => {
  it.each(Object.keys(files))('are read in the shape of %s', async (name) => {
    const entries = await files[name]!();
    expect(entries.map(({ cents }) => cents)).toEqual([123_456, 3600]);
    expect(entries.map(({ currency }) => currency)).toEqual(['EUR', 'EUR']);
    expect(entries[0]?.bookedOn).toBe('2026-12-01');
    expect(entries[0]?.text).toContain('K7M3 P9QT');
    expect(entries[1]?.text.replaceAll(' ', '')).toContain('W7M3P9QT');
    expect(new Set(keyed(entries).map(({ key }) => key)).size).toBe(2);
  });

  it('keep accents, names and accounts', async () => {
    for (const name of ['Sparkasse, CAMT.053.001.02', 'Sparkasse, CSV', 'KBC, CSV', 'ING, CSV'])
      expect((await files[name]!())[0]).toMatchObject({ name: 'Zoé Müller', iban: 'FR7630006000011234567890189' });
  });

  it('have debits with a sign', async () => {
    const back = [{ ...lines[1]!, amount: '-36.00' }];
    for (const read of [readCamt(sparkasseCamt(back).toString()), ofCsv(creditMutuelCsv(back)), ofCsv(ingCsv(back)), ofCsv(kbcCsv(back))])
      expect((await read).map(({ cents }) => cents)).toEqual([-3600]);
  });

  it('count the same payment twice on one day, and an entry in two files once', async () => {
    const twice = keyed(await ofCsv(bnpCsv([lines[1]!, lines[1]!])));
    expect(twice[0]?.key).not.toBe(twice[1]?.key);
    expect(keyed(await ofCsv(bnpCsv([lines[1]!])))[0]?.key).toBe(twice[0]?.key);
  });

  it('are refused when they declare entities, are no statements, or nest too deep', async () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${sparkasseCamt(lines).toString().slice(39)}`;
    const deep = '<Document><BkToCstmrStmt>' + '<a>'.repeat(100_000);
    for (const text of [
      bomb,
      '<html></html>',
      deep,
      sparkasseCamt(lines).toString().slice(0, 900),
      '<',
      sparkasseCamt(lines).toString().replace('1234.56', '12x'),
    ])
      await expect(readCamt(text)).rejects.toMatchObject({ field: 'file' });
    for (const bytes of [Buffer.alloc(0), Buffer.from('hello'), Buffer.from([0, 255, 254, 3])])
      await expect(readBankCsv(bytes)).rejects.toMatchObject({ field: 'file' });
  });

  it('refuse or clean what the database does not take', async () => {
    const xml = sparkasseCamt(lines).toString();
    for (const [from, to] of [
      ['2026-12-01', '2025-02-31'],
      ['2026-12-01', '0000-01-01'],
      ['1234.56', '99999999999.00'],
      ['Ccy="EUR">1234', 'Ccy="EURO">1234'],
    ] as const)
      await expect(readCamt(xml.replaceAll(from, to))).rejects.toMatchObject({ field: 'file' });
    const [entry] = await ofCsv(
      sparkasseCsv([{ ...lines[0]!, iban: `FR76\u0000<x>${'9'.repeat(3000)}`, currency: 'E\u0000', text: 'a\u0000b' }]),
    );
    expect(entry).toMatchObject({ iban: '', currency: 'XXX', text: 'a b' });
  });

  it('leave out what is only announced', async () => {
    const csv = sparkasseCsv(lines).toString('latin1').replace('Umsatz gebucht', 'Umsatz vorgemerkt');
    expect((await ofCsv(Buffer.from(csv, 'latin1'))).map(({ cents }) => cents)).toEqual([3600]);
  });

  it('keep some texts of an entry, and refuse too many transactions while they read them', async () => {
    const xml = sparkasseCamt([lines[0]!]).toString();
    const texts = xml.replace('</Ntry>', `${'<AddtlNtryInf>again</AddtlNtryInf><AddtlNtryInf>x</AddtlNtryInf>'.repeat(50_000)}</Ntry>`);
    expect(await readCamt(texts)).toHaveLength(1);
    const many = xml.replace('</NtryDtls>', `${'<TxDtls></TxDtls>'.repeat(6000)}</NtryDtls>`);
    await expect(readCamt(many)).rejects.toMatchObject({ field: 'file' });
  });

  it('let others run while a large file is read', async () => {
    const many = Array.from({ length: 4000 }, (_, index) => ({ ...lines[0]!, text: `Nr ${index} ${'x'.repeat(100)}` }));
    const xml = sparkasseCamt(many).toString();
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    expect(await readCamt(xml)).toHaveLength(4000);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });
});

describe('a reference', () => {
  it('has the check digits of ISO 11649', () => {
    // The example of the standard.
    expect(creditorReference('539007547034')).toBe('RF18539007547034');
  });
});
