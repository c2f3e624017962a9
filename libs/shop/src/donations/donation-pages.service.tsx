import type { Reply } from '#http';
import { currency, currentLanguage, dayWords, moneyWords } from '#kernel';
import { LookAgain } from '#page-kit';
import { PublicEventsService } from '#pages';
import { checkoutUrlOf } from '#payments';
import type { GivenDonation, OrderTaxReceipt, ShownCampaign } from '#selling';
import { currentTenant } from '#tenancy';
import { Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import { ownLinePage } from '../frame/own-line-page.js';
import { orderWords } from '../frame/order.words.js';
import { Step } from '../frame/step.js';
import { AskDonation } from './ask-donation.js';
import { TaxReceiptLink, TaxReceiptPart, type RefusedDonor } from './ask-tax-receipt.js';
import { CampaignList, CampaignStory } from './campaigns.js';
import { donationWords } from './donation.words.js';

interface Refused {
  readonly status: number;
  readonly typed: string;
  /** Absent: the provider could not be reached. */
  readonly fault?: string;
}

interface Answered {
  readonly status?: number;
  /** Path of the next look for a payment. */
  readonly again?: string;
  /** Default: that of the venue. */
  readonly title?: string | undefined;
  /** Path of the page before; default: the agenda. */
  readonly back?: string | undefined;
}

/** What a page asks for. */
export interface Asked {
  /** Amounts, decimal texts separated by spaces. */
  readonly suggested: string | null | undefined;
  /** Whether somebody can give now. */
  readonly canGive: boolean;
  /** To be listed. */
  readonly campaigns: readonly ShownCampaign[];
  /** What the page is about; absent: the venue. */
  readonly campaign?: ShownCampaign;
}

/** The pages of donations without tickets. */
@Injectable()
export class DonationPagesService {
  constructor(private readonly events: PublicEventsService) {}

  /** The page of the venue, or of a campaign. */
  async form({ suggested, canGive, campaigns, campaign }: Asked, refused?: Refused): Promise<Reply<string>> {
    const language = currentLanguage();
    const words = donationWords[language];
    const { typed = '', fault } = refused ?? {};
    const isOver = campaign && !campaign.isTaking;
    const form = (
      <>
        {campaign && <CampaignStory campaign={campaign} />}
        {refused && fault === undefined && <p role="alert">{orderWords[language].payFailed}</p>}
        {canGive ? (
          <AskDonation
            suggested={suggested}
            action={campaign ? `/donate/${campaign.id}` : '/donate'}
            refused={fault === undefined ? undefined : { typed, fault }}
          />
        ) : (
          (campaign || campaigns.length === 0) && <Step title={isOver ? words.over : words.closed} />
        )}
        <CampaignList campaigns={campaigns} />
      </>
    );
    return this.answer(form, { status: refused?.status ?? 200, title: campaign?.title, back: campaign && '/donate' });
  }

  /** The tax receipt for a donation, or the form that asks for it. @param path of the donation */
  async taxReceipt(found: OrderTaxReceipt, path: string, refused?: RefusedDonor): Promise<Reply<string>> {
    const title = donationWords[currentLanguage()].receiptTitle;
    return this.answer(<TaxReceiptPart found={found} path={path} refused={refused} />, { status: refused ? 422 : 200, title });
  }

  /** What became of a donation: the thanks, which serve as a receipt, or the way to its payment. */
  async given({ donation, payments, hasTaxReceipt }: GivenDonation, path: string, look: number): Promise<Reply<string>> {
    const language = currentLanguage();
    const words = donationWords[language];
    const price = donation && moneyWords(donation.amount, currency, language);
    const paid = payments.find(({ status }) => status === 'paid');
    if (donation?.isPaid && paid?.paidAt && price !== undefined) {
      const day = dayWords(paid.paidAt, language, currentTenant().timeZone);
      return this.answer(
        <Step title={words.thanks} lines={[words.received(price, currentTenant().name, day), words.keep]} isGood>
          {hasTaxReceipt && <TaxReceiptLink path={path} />}
        </Step>,
      );
    }
    if (payments.some(({ status }) => status === 'processing'))
      return this.answer(<Step title={orderWords[language].payTitle} lines={[orderWords[language].processing]} />);
    const url = checkoutUrlOf(payments);
    if (url === undefined || price === undefined) return this.answer(<Step title={words.nothing}>{again(words.give)}</Step>);
    if (look >= 1) {
      const again = `${path}?paid=${look + 1}`;
      return this.answer(<LookAgain path={again} text={words.waiting} />, { again });
    }
    const way = (
      <p>
        <a class="button" href={url}>
          {orderWords[language].pay(price)}
        </a>
      </p>
    );
    return this.answer(<Step title={orderWords[language].payTitle}>{way}</Step>);
  }

  private async answer(body: VNode, { title, back, ...more }: Answered = {}): Promise<Reply<string>> {
    const support = donationWords[currentLanguage()].title(currentTenant().name);
    const way = back === undefined ? undefined : { path: back, label: support };
    return ownLinePage({ ...more, body, title: title ?? support, back: way, venue: await this.events.venue() });
  }
}

const again = (label: string): VNode => (
  <p>
    <a class="button" href="/donate">
      {label}
    </a>
  </p>
);
