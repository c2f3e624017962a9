import {
  codeTail,
  type GiftCard,
  GiftCardLinks,
  giftCardName,
  GiftCardPurchasesService,
  GiftCardsService,
  shownCardCode,
  venueDay,
} from '#gift-cards';
import { currency, dayWords, drawDocument, startOfDayInZone } from '#kernel';
import {
  cardsSheet,
  giftCardBoughtMessage,
  giftCardMessage,
  giftCardSheet,
  type GiftCardFacts,
  type MailMessage,
  withdrawalMessage,
} from '#messages';
import { currentTenant } from '#tenancy';
import { isSameMailbox, type Mail } from '#tickets';
import { Injectable } from '@nestjs/common';
import { referenceOf, refundsOf } from '../booking-facts.js';
import { MailSourcesService } from '../mail-sources.service.js';

/** A card that has a code. */
type IssuedCard = GiftCard & { readonly code: string };

/** Mails about gift cards, and cards to print. */
@Injectable()
export class GiftCardDocumentsService {
  constructor(
    private readonly cards: GiftCardsService,
    private readonly purchases: GiftCardPurchasesService,
    private readonly sources: MailSourcesService,
    private readonly links: GiftCardLinks,
  ) {}

  /** @returns undefined when the mail is obsolete: its card was replaced, blocked or withdrawn from since */
  async compose(mail: Mail, id: string): Promise<MailMessage | undefined> {
    const { kind, recipient: email } = mail;
    const card = await this.cards.find(id);
    if (mail.kind === 'withdrawal') return card && this.withdrawn(mail, card);
    if (card?.state !== 'usable' || !isIssued(card)) return undefined;
    const facts = { ...(await this.factsOf(card)), email };
    if (kind === 'gift-card') return giftCardMessage(facts);
    const { recipientEmail, sendOn, orderId } = card;
    const day = sendOn === null ? undefined : startOfDayInZone(sendOn, currentTenant().timeZone);
    const mailed =
      recipientEmail === null ? undefined : { email: recipientEmail, day: dayWords(day ?? today(), facts.language, facts.tenant.timeZone) };
    return giftCardBoughtMessage({ ...facts, mailed, pageUrl: orderId === null ? undefined : this.links.urlTo(orderId) });
  }

  /** A card to print, on an A4 page for cutting. @param turn whose processor time it takes @returns undefined: it has no code */
  async sheetOf(card: GiftCard, turn: 'staff' | 'public'): Promise<Buffer | undefined> {
    if (!isIssued(card)) return undefined;
    const facts = await this.factsOf(card);
    const sheet = giftCardSheet(facts);
    const about = { language: facts.language, title: sheet.title, author: facts.tenant.name };
    return drawDocument(turn, 'gift-card', [about, sheet], () => cardsSheet(about, [sheet]));
  }

  /** The receipt of a withdrawal, which has the time of its mail. */
  private async withdrawn({ createdAt: at, recipient: email, note }: Mail, card: GiftCard): Promise<MailMessage> {
    const { orderId, code, amount, language, buyerEmail } = card;
    const { payments } = await this.purchases.find(orderId as string);
    const refunds = payments.filter(({ kind, createdAt }) => kind === 'refund' && createdAt.getTime() === at.getTime());
    const contract = giftCardName(language ?? currentTenant().language);
    return withdrawalMessage({
      language: language ?? currentTenant().language,
      tenant: await this.sources.venue(),
      name: note ?? '',
      email,
      at,
      contract,
      reference: referenceOf(orderId as string),
      lines: [{ holder: '', product: contract, price: codeTail(code), amount }],
      currency,
      refunds: refundsOf({ payments: refunds }),
      holderUrl: isSameMailbox(email, buyerEmail) ? this.links.urlTo(orderId as string) : undefined,
    });
  }

  private async factsOf(card: IssuedCard): Promise<GiftCardFacts> {
    const { amount, code, message, buyerName, recipientName, expiresAt, language } = card;
    return {
      language: language ?? currentTenant().language,
      tenant: await this.sources.venue(),
      amount,
      code: shownCardCode(code),
      message,
      buyerName,
      recipientName,
      expiresAt,
      balanceUrl: this.links.balanceUrl(code),
    };
  }
}

const isIssued = (card: GiftCard): card is IssuedCard => card.code !== null;

/** The day of the venue, for a card without one. */
const today = (): Date => startOfDayInZone(venueDay(), currentTenant().timeZone) as Date;
