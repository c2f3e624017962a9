import { reply, type Reply } from '#http';
import { currentLanguage, SETTINGS, type Settings } from '#kernel';
import { currentTenant } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';
import { pagePolicy } from '../page-answer.js';
import { pageFrame } from '../page-frame.js';
import { PublicEvents, type Venue } from '../public-events.service.js';
import type { ConfirmPage } from './confirm.page.js';

/** Forms go to this host, and kept pictures stand in the page itself. */
const policy = pagePolicy
  .replace("form-action 'none'", "form-action 'self'")
  .replace("img-src 'self'", "img-src 'self' data:");

/** Answers with pages of the form of a new place: for one person, kept by no cache. */
@Injectable()
export class NewPlaceAnswers {
  constructor(
    private readonly events: PublicEvents,
    @Inject(SETTINGS) readonly settings: Settings,
  ) {}

  /** What the first Meta tells of itself. */
  venue(): Promise<Venue> {
    return this.events.venue();
  }

  async answer({ title, main }: ConfirmPage, status = 200): Promise<Reply<string>> {
    const tenant = currentTenant();
    const language = currentLanguage();
    const venue = await this.venue();
    const headers = {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Language': language,
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-store',
      // Not `no-referrer`: with it browsers blank the Origin header that tells our forms from foreign ones.
      'Referrer-Policy': 'same-origin',
      'X-Robots-Tag': 'noindex',
    };
    const html = pageFrame({ tenant, language, title: `${title} · ${tenant.name}`, main, venue });
    return reply(html, { status, headers, vary: 'Accept-Language' });
  }
}
