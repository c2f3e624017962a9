import { describe, expect, it } from '@jest/globals';
import { sourcesBelow } from '../support/sources.js';

/** Migrations are excluded, because they are never changed. */
const programs = sourcesBelow(['libs', 'apps'], /(?<!\.spec)\.tsx?$/).filter(({ path }) => !path.includes('/migrations/'));

const using = (pattern: RegExp): string[] => programs.filter(({ code }) => pattern.test(code)).map(({ path }) => path);

describe('definitions that exist once', () => {
  it('the end of an event without an end', () => {
    const assumedEnd =
      /(starts_?at|startsAt\.getTime\(\))[^\n]{0,20}\+ (interval|make_interval|\d)|coalesce\(\w*\.?ends_?at|endsAt \?\? (new|starts)/i;
    expect(using(assumedEnd)).toEqual(['libs/catalogue/src/event-queries/event-end.ts']);
  });

  it('the hour at which a day starts', () => {
    expect(using(/date_trunc\('day'|interval '4 hours'|\b4 \* 3_600_000/)).toEqual(['libs/kernel/src/time/venue-day.ts']);
  });

  it('the check of a UUID', () => {
    expect(using(/\]\{8\}|\bisUUID\b|\bIsUUID\b|ParseUUIDPipe/)).toEqual(['libs/kernel/src/problems/uuid.ts']);
  });

  it('the escaping of HTML, which components do', () => {
    const written = using(/`<[a-z][^`]*\$\{/).filter((path) => /^libs\/(page|shop|panel|messages)/.test(path));
    expect(written).toEqual([
      // A label that is compared with a link.
      'libs/messages/src/templates/booking-blocks.tsx',
      // Paragraphs of sanitised text.
      'libs/page-kit/src/frame/description.ts',
      // XML, with `xmlText`.
      'libs/pages/src/event-lists/news-feed.tsx',
      'libs/pages/src/event-lists/sitemap.ts',
    ]);
    expect(using(/escapeHtml|dangerouslySetInnerHTML/)).toEqual([]);
  });

  it('the currency', () => {
    // A payment provider names the currencies that it charges. The scanner app is a program of its own.
    expect(using(/'EUR'/)).toEqual([
      'libs/kernel/src/text/money.ts',
      'libs/payments/src/mollie/mollie.provider.ts',
      'libs/payments/src/stripe/stripe.provider.ts',
      'libs/payments/src/sumup/sumup.provider.ts',
      'apps/door/src/app/later-steps.ts',
    ]);
  });
});
