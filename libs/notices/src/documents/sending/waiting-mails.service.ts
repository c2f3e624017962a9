import type { Mail } from '#tickets';
import { codeStateOf, WaitingLinks, WaitingListService } from '#waiting';
import { sumOf } from '#kernel';
import { waitingMessage, type MailMessage } from '#messages';
import { currentTenant, TenantDb } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { ownTextsIn, type StoredMailText } from '../../mails/mail-text-rules.js';
import { EventNotice } from '../../notices/event-notice.entity.js';
import { noticeTextIn } from '../../notices/notice-texts.js';
import { mailEventOf } from '../mail-event.js';
import { MailSourcesService } from '../mail-sources.service.js';

/** Composes the mails about an entry of a waiting list from its state at that time. */
@Injectable()
export class WaitingMailsService {
  constructor(
    private readonly entries: WaitingListService,
    private readonly sources: MailSourcesService,
    private readonly links: WaitingLinks,
    private readonly db: TenantDb,
  ) {}

  /** @returns undefined when the mail is obsolete */
  async compose({ kind, noticeId }: Mail, id: string, texts: readonly StoredMailText[]): Promise<MailMessage | undefined> {
    const entry = await this.entries.find(id);
    if (entry?.status !== 'unconfirmed' && entry?.status !== 'waiting' && entry?.status !== 'offered') return undefined;
    // The offer ended before its mail was sent.
    if (kind === 'waiting-offer' && entry.status !== 'offered') return undefined;
    const event = await this.sources.event(entry.eventId);
    if (!event) return undefined;
    const { email, quantity, product, price, amount, offeredUntil, code, heldAmount } = entry;
    const codeState = codeStateOf(entry);
    const language = entry.language ?? currentTenant().language;
    const notice = noticeId === null ? null : await this.db.transaction((tx) => tx.findOneBy(EventNotice, { id: noticeId }));
    const message = noticeTextIn(notice?.texts ?? null, language);
    return waitingMessage({
      language,
      own: ownTextsIn(texts, language),
      tenant: await this.sources.venue(),
      event: mailEventOf(event, this.sources.pageOf(event)),
      email,
      state: entry.status,
      ...(message && { message }),
      quantity,
      name: product === price ? price : `${product} · ${price}`,
      total: heldAmount ?? sumOf([{ amount, quantity }]),
      ...(code !== null && codeState && { code: { code, state: codeState } }),
      until: offeredUntil,
      url: this.links.urlTo(id),
    });
  }
}
