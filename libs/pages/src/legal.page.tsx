import { currentLanguage, type Settings } from '#kernel';
import { SafeHtml } from '#http';
import { descriptionHtml, pageDocument, pageWords, type Venue } from '#page-kit';
import { tenantUrl, type TenantIdentity } from '#tenancy';

export interface LegalPage {
  readonly tenant: TenantIdentity;
  readonly settings: Settings;
  readonly venue: Venue;
  readonly field: 'imprint' | 'terms' | 'privacy';
  /** As the place wrote it. */
  readonly text: string;
}

/** The page of an imprint, of terms or of a privacy notice. */
export function legalPage({ tenant, settings, venue, field, text }: LegalPage): string {
  const language = currentLanguage();
  const heading = pageWords[language][field];
  const main = (
    <article class="flow">
      <h1>{heading}</h1>
      <div class="prose" dir="auto">
        <SafeHtml html={descriptionHtml(text, 'h1')} />
      </div>
    </article>
  );
  const summary = { canonical: tenantUrl(settings, tenant, `/${field}`), description: '' };
  return pageDocument({ tenant, language, title: `${heading} · ${tenant.name}`, main, venue, summary });
}
