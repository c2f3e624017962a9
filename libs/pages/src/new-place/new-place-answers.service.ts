import { currentLanguage, SETTINGS, type Settings } from '#kernel';
import { currentTenant } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
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

  async answer(response: Response, { title, main }: ConfirmPage, status = 200): Promise<void> {
    const tenant = currentTenant();
    const language = currentLanguage();
    const venue = await this.venue();
    response.vary('Accept-Language');
    response.set({
      'Content-Language': language,
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-store',
      // Not `no-referrer`: with it browsers blank the Origin header that tells our forms from foreign ones.
      'Referrer-Policy': 'same-origin',
      'X-Robots-Tag': 'noindex',
    });
    const html = pageFrame({ tenant, language, title: `${title} · ${tenant.name}`, main, venue });
    response.status(status).type('text/html; charset=utf-8').send(html);
  }
}
