import { textTag } from '#http';
import { currentLanguage, currentRequest, databaseNow, serverBusy, SharedReading, TenantCache, TokenBuckets } from '#kernel';
import { currentTenant } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { limits } from '../limits.js';
import type { EventPage } from '../public-events/public-events.service.js';
import { nextSaleChange } from '../ticket-forms/sale-words.js';
import type { WaitingForm } from '../ticket-forms/waiting-form.js';
import type { EventPageInput } from './event-json-ld.js';
import { EventPagesService } from './event-pages.service.js';

/** What the page of an event shows, the same for everybody in every language. */
export interface SharedEventPage {
  readonly found: EventPage;
  readonly booking: EventPageInput['booking'];
  readonly waiting: WaitingForm | undefined;
  /** When the sale of a price opens or ends next. */
  readonly changesAt: Date | undefined;
}

interface WrittenPage {
  readonly html: string;
  /** Entity tag. */
  readonly tag: string;
}

interface Kept {
  readonly page: SharedEventPage;
  /** Estimated memory with the written pages, in characters. */
  readonly length: number;
}

/** Pages of one event in different languages, and the longest address of a page that is kept. */
const mostWritten = { pages: 8, address: 300 };
/** A page has about so many characters in addition to what is stored of its event. */
const frameCharacters = 30_000;

/**
 * Reads the pages of events for many readers. Simultaneous readers share one reading. When more than twenty a second want the same event,
 * they get what was read within the last second, unless the sale of a price opens or ends in between.
 */
@Injectable()
export class SharedEventPagesService {
  private readonly reading = new SharedReading<Kept>(
    { ...limits.eventPages.turns, refuse: serverBusy },
    new TenantCache(limits.keptEventPages.kept),
  );
  /** Written pages by language and address, as long as what was read is kept. */
  private readonly written = new WeakMap<SharedEventPage, Map<string, WrittenPage>>();
  private readonly rates = new TokenBuckets(limits.eventPageBuckets.kept.most);

  constructor(private readonly events: EventPagesService) {}

  /**
   * @param slugOrId slug or UUID
   * @param isNew reads again what was kept, for who knows of a change
   * @throws Problem `route.unknown` when there is no public event; 503 `server.busy`
   */
  async read(slugOrId: string, { isNew = false } = {}): Promise<SharedEventPage> {
    const isOften = this.rates.take(`${currentTenant().id} ${slugOrId}`, limits.eventPageReadings.rate) > 0;
    const kept = isOften && !isNew ? this.reading.kept(slugOrId)?.page : undefined;
    if (kept && !(kept.changesAt && kept.changesAt <= databaseNow())) return kept;
    const read = async (): Promise<Kept> => {
      const page = await this.load(slugOrId);
      return { page, length: mostWritten.pages * (frameCharacters + 2 * JSON.stringify(page.found).length) };
    };
    return (await this.reading.read(slugOrId, read)).page;
  }

  /**
   * Writes a page that was read, in the current language. It has nothing of one reader: pages for one person are written by
   * `EventPagesService`.
   */
  write(page: SharedEventPage): WrittenPage {
    let written = this.written.get(page);
    if (!written) this.written.set(page, (written = new Map()));
    const { address = '' } = currentRequest() ?? {};
    const key = `${currentLanguage()} ${currentTenant().host} ${address}`;
    const known = written.get(key);
    if (known) return known;
    const html = this.events.html(page.found, page.booking, { waiting: page.waiting });
    const made = { html, tag: `W/${textTag(html)}` };
    if (written.size < mostWritten.pages && address.length <= mostWritten.address) written.set(key, made);
    return made;
  }

  private async load(slugOrId: string): Promise<SharedEventPage> {
    const now = databaseNow();
    const found = await this.events.find(slugOrId);
    const booking = await this.events.booking(found);
    const waiting = await this.events.waiting(found, booking?.canPay);
    return { found, booking, waiting, changesAt: nextSaleChange(found.prices, now) };
  }
}
