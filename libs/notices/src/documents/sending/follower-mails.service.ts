import type { Mail } from '#tickets';
import { loadWhole } from '#catalogue';
import { followConfirmMessage, newDatesMessage, salesOpenMessage, tellConfirmMessage, type MailMessage } from '#messages';
import { currentTenant, TenantDb } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { FollowerLinks } from '../../following/follower-links.js';
import { FollowersService, type ShownFollower } from '../../following/followers.service.js';
import { openingOf } from '../../following/sales-openings.service.js';
import { isNewDateSql } from '../../following/new-dates.service.js';
import { ownTextsIn, type StoredMailText } from '../../mails/mail-text-rules.js';
import { mailEventOf } from '../mail-event.js';
import { MailSourcesService } from '../mail-sources.service.js';

type FollowerFacts = Parameters<typeof followConfirmMessage>[0];

/** New dates that one mail lists. */
const mostListed = 20;

/** Composes the mails to people who follow the venue, from the state at that time. */
@Injectable()
export class FollowerMailsService {
  constructor(
    private readonly db: TenantDb,
    private readonly followers: FollowersService,
    private readonly sources: MailSourcesService,
    private readonly links: FollowerLinks,
  ) {}

  /** @returns undefined when the mail is obsolete */
  async compose({ kind, mailingId }: Mail, id: string, texts: readonly StoredMailText[]): Promise<MailMessage | undefined> {
    const follower = await this.followers.find(id);
    if (!follower || (kind === 'follow-confirm') !== (follower.confirmedAt === null)) return undefined;
    const language = follower.language ?? currentTenant().language;
    const facts = {
      language,
      tenant: await this.sources.recentVenue(),
      own: ownTextsIn(texts, language),
      email: follower.email,
      url: this.links.urlTo(id),
    };
    if (follower.event) return this.aboutSale(kind, follower.event.id, facts);
    if (kind === 'follow-confirm') return followConfirmMessage(facts);
    const { ids, more } = await this.newDates(mailingId, follower);
    const events = await this.db.transaction((tx) => loadWhole(tx, ids));
    const listed = events.map((event) => mailEventOf(event, this.sources.pageOf(event)));
    return listed.length > 0 ? newDatesMessage({ ...facts, events: listed, more }) : undefined;
  }

  /** @returns undefined when the sale has begun already, or is not open (any more) */
  private async aboutSale(kind: Mail['kind'], eventId: string, facts: FollowerFacts): Promise<MailMessage | undefined> {
    const state = await this.db.transaction((tx) => openingOf(tx, eventId));
    const found = state?.isComing ? await this.sources.event(eventId) : undefined;
    if (!found || state?.isOpen !== (kind === 'sales-open')) return undefined;
    const about = { ...facts, event: mailEventOf(found, this.sources.pageOf(found)) };
    return kind === 'sales-open' ? salesOpenMessage(about) : tellConfirmMessage(about);
  }

  /** Ends the following of an address that a mail server refuses. */
  end(id: string): Promise<void> {
    return this.followers.leave(id);
  }

  /** The dates of a mailing that are still to come and that are new to the follower. */
  private async newDates(mailingId: string | null, { confirmedAt }: ShownFollower): Promise<{ ids: string[]; more: number }> {
    const rows = await this.db.transaction((tx) =>
      tx.query<{ id: string }[]>(
        `select event.id from follower_mailing join new_date on new_date.told_on = follower_mailing.day
         join event on event.id = new_date.event_id
         where follower_mailing.id = $1 and noticed_at > $2 and ${isNewDateSql} and (select follow_by_mail from configuration)
         order by event.starts_at, event.id`,
        [mailingId, confirmedAt],
      ),
    );
    const ids = rows.map(({ id }) => id);
    return { ids: ids.slice(0, mostListed), more: Math.max(0, ids.length - mostListed) };
  }
}
