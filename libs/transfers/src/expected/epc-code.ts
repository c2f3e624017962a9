import { creditorReference } from './transfer-reference.js';

/** What a transfer needs. */
export interface TransferOrder {
  readonly iban: string;
  readonly bic: string;
  readonly holder: string;
  /** Decimal text in euros. */
  readonly amount: string;
  readonly reference: string;
}

/**
 * The content of the QR code that banking programs read (EPC069-12, version 2): the reference is structured (ISO 11649), so that no bank
 * changes it.
 */
export function epcCode({ iban, bic, holder, amount, reference }: TransferOrder): string {
  return ['BCD', '002', '1', 'SCT', bic, holder, iban, `EUR${amount}`, '', creditorReference(reference)].join('\n');
}
