import type { Language, Settings } from '#kernel';
import { pageWords } from '#page-kit';
import { tenantUrl, type TenantIdentity } from '#tenancy';
import type { ComponentChildren, VNode } from 'preact';

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

interface TurningProps {
  readonly toNow: string | undefined;
  readonly toLater: string | undefined;
  readonly language: Language;
}

/** Links to the current and to later events; nothing without both. */
export function Turning({ toNow, toLater, language }: TurningProps): VNode | null {
  if (!toNow && !toLater) return null;
  const words = pageWords[language];
  return (
    <nav class="turning">
      {toNow && <a href={toNow}>← {words.backToNow}</a>}
      {toLater && (
        <a href={toLater} rel="next">
          {words.later} →
        </a>
      )}
    </nav>
  );
}

interface SubscribeProps {
  readonly tenant: TenantIdentity;
  readonly settings: Settings;
  readonly language: Language;
}

/** A link to the agenda as a calendar. It opens the calendar program, which then reads the agenda again and again. */
export function Subscribe({ tenant, settings, language }: SubscribeProps): VNode {
  const webcal = tenantUrl(settings, tenant, '/agenda.ics').replace(/^https?:/, 'webcal:');
  return (
    <p class="subscribe">
      <a href={webcal}>{pageWords[language].subscribeTo}</a>
    </p>
  );
}
