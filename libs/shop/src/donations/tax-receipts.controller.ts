import { SameOriginGuard, seeOther, TakesForm, type Redirection, type Reply } from '#http';
import { kernelProblem, RefusedInput } from '#kernel';
import { TaxReceiptDocumentsService } from '#notices';
import { CartLinks, pageTenant, reader } from '#page-kit';
import { fileReply } from '#pages';
import { TaxReceiptsService, type Donor, type TaxReceipt } from '#selling';
import { Access } from '#tenancy';
import { Body, Controller, Get, Param, Post, UseGuards } from '@nestjs/common';
import { DonationPagesService } from './donation-pages.service.js';

const fields = ['name', 'street', 'postalCode', 'city', 'country'] as const satisfies readonly (keyof Donor)[];

/** The tax receipt for a donation, given alone or with an order. The link of the donation opens it. */
@Controller('donate/:id/:mark')
@Access('public')
export class TaxReceiptsController {
  constructor(
    private readonly receipts: TaxReceiptsService,
    private readonly documents: TaxReceiptDocumentsService,
    private readonly pages: DonationPagesService,
    private readonly links: CartLinks,
  ) {}

  /** Asks for the name and the postal address, or leads to the receipt. */
  @Get('receipt')
  async show(@Param('id') id: string, @Param('mark') mark: string): Promise<Reply<string>> {
    this.check(id, mark);
    return this.pages.taxReceipt(await this.receipts.of(id), this.links.donationPathTo(id));
  }

  @Post('receipt')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: ['name', 'street', 'postalCode', 'city'] })
  async issue(@Param('id') id: string, @Param('mark') mark: string, @Body() body: unknown): Promise<Reply<string> | Reply<Redirection>> {
    this.check(id, mark);
    const read = reader(body);
    const donor = Object.fromEntries(fields.map((field) => [field, read(field).trim()])) as unknown as Donor;
    const path = this.links.donationPathTo(id);
    try {
      await this.receipts.issue(id, donor);
      return seeOther(`${path}/receipt`);
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      const refused = { donor, faults: new Map([[error.field, error.message]]) };
      return this.pages.taxReceipt(await this.receipts.of(id), path, refused);
    }
  }

  /** @throws Problem `route.unknown` when there is none (any more) */
  @Get('receipt.pdf')
  async file(@Param('id') id: string, @Param('mark') mark: string): Promise<Reply<Buffer>> {
    this.check(id, mark);
    const { receipt } = await this.receipts.of(id);
    const file = receipt && isValid(receipt) ? await this.documents.draw(receipt, 'public') : undefined;
    if (!file) throw kernelProblem('route.unknown');
    return fileReply('application/pdf', file.name, file.content);
  }

  private check(id: string, mark: string): void {
    pageTenant();
    if (!this.links.opensDonation(id, mark)) throw kernelProblem('route.unknown');
  }
}

/** Its donation was not given back, and its donor is not forgotten. */
const isValid = ({ endedAt, donorName }: TaxReceipt): boolean => endedAt === null && donorName !== null;
