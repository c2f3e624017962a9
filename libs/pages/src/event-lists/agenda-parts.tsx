import type { Language, Settings } from '#kernel';
import { pageWords } from '#page-kit';
import { tenantUrl, type TenantIdentity } from '#tenancy';
import type { ComponentChildren, VNode } from 'preact';
import { programmeWords } from './programme.words.js';

/** Facts of an entry on one line. */
export function Facts({ facts }: { readonly facts: readonly ComponentChildren[] }): VNode {
  return (
    <p class="facts">
      {facts.map((fact, index) => (
        <>
          {index > 0 && (
            <>
              {' '}
              <span aria-hidden="true">·</span>{' '}
            </>
          )}
          {fact}
        </>
      ))}
    </p>
  );
}

/** In place of a list without entries. */
export function EmptyList({ lines }: { readonly lines: readonly string[] }): VNode {
  return (
    <div class="empty">
      {lines.map((line) => (
        <p>{line}</p>
      ))}
    </div>
  );
}

interface MoreDatesProps {
  readonly toNow: string | undefined;
  readonly toLater: string | undefined;
  readonly tenant: TenantIdentity;
  readonly settings: Settings;
  readonly language: Language;
}

/** Links to the current and to later events, and to the calendar: it opens the calendar program, which then reads it again and again. */
export function MoreDates({ toNow, toLater, tenant, settings, language }: MoreDatesProps): VNode {
  const words = pageWords[language];
  const webcal = tenantUrl(settings, tenant, '/agenda.ics').replace(/^https?:/, 'webcal:');
  return (
    <nav class="pages line" aria-label={programmeWords[language].moreDates}>
      {toNow && <a href={toNow}>← {words.backToNow}</a>}
      {toLater && (
        <a href={toLater} rel="next">
          {words.later} →
        </a>
      )}
      <a href={webcal}>{words.subscribeTo}</a>
    </nav>
  );
}
