import { type GiftCard, GiftCardLinks, GiftCardsService, shownCardCode, venueDay } from '#gift-cards';
import { dayWords, drawDocument, startOfDayInZone } from '#kernel';
import { cardsSheet, giftCardBoughtMessage, giftCardMessage, giftCardSheet, type GiftCardFacts, type MailMessage } from '#messages';
import { currentTenant } from '#tenancy';
import type { Mail } from '#tickets';
import { Injectable } from '@nestjs/common';
import { MailSourcesService } from '../mail-sources.service.js';

/** A card that has a code. */
type IssuedCard = GiftCard & { readonly code: string };

/** Mails about gift cards, and cards to print. */
@Injectable()
export class GiftCardDocumentsService {
  constructor(
    private readonly cards: GiftCardsService,
    private readonly sources: MailSourcesService,
    private readonly links: GiftCardLinks,
  ) {}

  /** @returns undefined when the mail is obsolete: its card was replaced, blocked or withdrawn from since */
  async compose({ kind, recipient: email }: Mail, id: string): Promise<MailMessage | undefined> {
    const card = await this.cards.find(id);
    if (card?.state !== 'usable' || !isIssued(card)) return undefined;
    const facts = { ...(await this.factsOf(card)), email };
    if (kind === 'gift-card') return giftCardMessage(facts);
    const { recipientEmail, sendOn, orderId } = card;
    const day = sendOn === null ? undefined : startOfDayInZone(sendOn, currentTenant().timeZone);
    const mailed = recipientEmail === null ? undefined : { email: recipientEmail, day: dayWords(day ?? today(), facts.language, facts.tenant.timeZone) };
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
