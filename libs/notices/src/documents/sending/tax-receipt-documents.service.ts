import { drawDocument } from '#kernel';
import { taxReceiptPdf } from '#messages';
import { TaxReceiptsService, type TaxReceipt } from '#selling';
import { currentTenant } from '#tenancy';
import { Injectable } from '@nestjs/common';

interface ReceiptFile {
  readonly name: string;
  readonly content: Buffer;
}

/** Tax receipts as PDF. A receipt is the same document whenever it is drawn, unless it has ended. */
@Injectable()
export class TaxReceiptDocumentsService {
  constructor(private readonly receipts: TaxReceiptsService) {}

  /** @returns undefined when nothing is known of its donor any more @throws DrawingFailedError */
  async draw(receipt: TaxReceipt, reader: 'public' | 'staff'): Promise<ReceiptFile | undefined> {
    const { number, issuer, donorName, donorAddress, amount, paidAt, method, issuedAt, endedAt } = receipt;
    if (donorName === null || donorAddress === null) return undefined;
    const { timeZone } = currentTenant();
    const donor = { name: donorName, address: donorAddress };
    const facts = { number, issuer, donor, amount, paidAt, method, issuedAt, endedAt, timeZone };
    return { name: `recu-fiscal-${number}.pdf`, content: await drawDocument(reader, 'tax-receipt', facts, () => taxReceiptPdf(facts)) };
  }

  /** For staff, by its id. @returns undefined when there is none, or it is forgotten */
  async read(id: string): Promise<ReceiptFile | undefined> {
    const receipt = await this.receipts.find(id);
    return receipt ? this.draw(receipt, 'staff') : undefined;
  }
}
