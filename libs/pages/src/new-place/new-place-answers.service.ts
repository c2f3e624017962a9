import { reply, type Reply } from '#http';
import { currentLanguage, SETTINGS, type Settings } from '#kernel';
import { currentTenant, tenantUrl } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';
import { type Venue, pageDocument, pagePolicy } from '#page-kit';
import { PublicEventsService } from '../public-events/public-events.service.js';
import type { ConfirmPage } from './confirm.page.js';

/**
 * Stored images are embedded as data URLs. The form submits to this host, whose answer leads to the panel of the new tenant; browsers apply
 * `form-action` to both.
 */
const policyFor = (settings: Settings): string =>
  pagePolicy
    .replace("form-action 'none'", `form-action 'self' ${tenantUrl(settings, { host: `*.${settings.baseDomain}` }, '')}`)
    .replace("img-src 'self'", "img-src 'self' data:")
    // It asks about a mistyped e-mail address.
    .replace('; style-src', "; script-src 'self'; style-src");

/** Sends pages of the form for a new place: personal, not cached. */
@Injectable()
export class NewPlaceAnswersService {
  constructor(
    private readonly events: PublicEventsService,
    @Inject(SETTINGS) readonly settings: Settings,
  ) {}

  /** The public profile of the first Meta. */
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
      'Content-Security-Policy': policyFor(this.settings),
      'Cache-Control': 'no-store',
      // Not `no-referrer`: with it browsers send no Origin header, by which our forms are distinguished from foreign ones.
      'Referrer-Policy': 'same-origin',
      'X-Robots-Tag': 'noindex',
    };
    const html = pageDocument({ tenant, language, title: `${title} · ${tenant.name}`, main, venue, sheet: 'form' });
    return reply(html, { status, headers, vary: 'Accept-Language, Cookie' });
  }
}
